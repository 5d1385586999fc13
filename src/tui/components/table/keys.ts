/** Keys that move through the rows of a table. */
export const moveKeys = {
  up: { type: "move", by: -1 },
  k: { type: "move", by: -1 },
  down: { type: "move", by: 1 },
  j: { type: "move", by: 1 },
  home: { type: "go-first" },
  end: { type: "go-last" },
} as const;
