/** The folder into which MySQL and its libraries are extracted, with the folders of their packages. */
export const mysqlFolder: string;
