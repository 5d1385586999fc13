/** True in the nightly run, which tries everything: `IOT_TEST_MATRIX=full`. */
export const isFull = process.env["IOT_TEST_MATRIX"] === "full";

/** How many of something are tried: few in every run, many in the nightly one. */
export const amount = (usual: number, nightly: number): number => (isFull ? nightly : usual);
