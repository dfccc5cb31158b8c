throw new Error('mysql://root:s3cret@localhost/panel does not answer');
