export { entityFinder } from "../kit/finders/entity.ts";
