/** Version of the package; a test keeps it equal to package.json. */
export const VERSION: string = "0.1.0";
