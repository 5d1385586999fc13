export { type LocalEntry, linkOnTheWay, localTree } from "../kit/files/local-tree.ts";
