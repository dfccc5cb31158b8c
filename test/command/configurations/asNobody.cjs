// As if the user nobody had called the command.
process.setgid(65534);
process.setuid(65534);
