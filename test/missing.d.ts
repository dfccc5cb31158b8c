/** Something that a test needs and this machine lacks. The message says what, as a reason to leave the test out. */
export class Missing extends Error {}
