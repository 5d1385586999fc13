/** Whether a destination is not on this machine: `s3://bucket`, where a command takes it for a folder. */
export const isAddress = (path: string): boolean => /^[a-z0-9]+:\/\//i.test(path);
