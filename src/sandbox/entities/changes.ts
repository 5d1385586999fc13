import type { EntitySchemaChanges, FieldChange } from "../../schema/entity.ts";
import { invalidBody, type PlatformError } from "../core/platform-error.ts";
import type { EntityDocument } from "../store/document.ts";
import {
  type Field,
  type Index,
  type Indexes,
  indexesOf,
  isOwnField,
  OWN_FIELDS,
  OWN_INDEXES,
  schemaOf,
} from "./fields.ts";
import { entityGaps } from "./gaps.ts";
import type { EntityRows } from "./rows.ts";

/** In addition to those of every entity. */
const MAX_FIELDS = 30;
const MAX_INDEXES = 10;
const areTooManyFields = (amount: number): boolean => amount > MAX_FIELDS + Object.keys(OWN_FIELDS).length;
const areTooManyIndexes = (amount: number): boolean => amount > MAX_INDEXES + Object.keys(OWN_INDEXES).length;

function refuse(member: string, text: string): PlatformError {
  return invalidBody({ [member]: [text] });
}

interface NewField {
  readonly type: Field["type"];
  readonly required?: boolean;
}

const plainField = ({ type, required }: NewField): Field => ({ type, ...(required !== undefined && { required }) });

function addIndex(indexes: Map<string, Index>, schema: ReadonlyMap<string, Field>, name: string, index: Index): void {
  const member = `index.${name}`;
  if (indexes.has(name)) throw refuse(member, "There is an index of this name");
  if (new Set(index.fields).size < index.fields.length) throw refuse(member, "A field occurs twice");
  for (const field of index.fields) {
    const known = schema.get(field);
    if (known === undefined) throw refuse(member, `There is no field "${field}"`);
    if (known.type === "json") throw refuse(member, `The field "${field}" is of type json and cannot be indexed`);
  }
  if (areTooManyIndexes(indexes.size + 1))
    throw refuse(member, `At most ${MAX_INDEXES} indexes`).assumed(entityGaps.limits);
  indexes.set(name, { fields: [...index.fields] });
}

/** Schema and indexes of a new entity: those of the body, and those of every entity. */
export function newSchema(
  fields: Readonly<Record<string, NewField>>,
  given: Readonly<Record<string, Index>>,
): { readonly schema: Record<string, Field>; readonly index: Record<string, Index> } {
  const schema = new Map<string, Field>([["id", OWN_FIELDS["id"] ?? { type: "uuid" }]]);
  for (const [name, field] of Object.entries(fields)) if (!isOwnField(name)) schema.set(name, plainField(field));
  for (const [name, field] of Object.entries(OWN_FIELDS)) schema.set(name, field);
  if (areTooManyFields(schema.size)) throw refuse("schema", `At most ${MAX_FIELDS} fields`).assumed(entityGaps.limits);
  const indexes = new Map<string, Index>(Object.entries(OWN_INDEXES));
  for (const [name, index] of Object.entries(given)) {
    if (!Object.hasOwn(OWN_INDEXES, name)) addIndex(indexes, schema, name, index);
  }
  return { schema: Object.fromEntries(schema), index: Object.fromEntries(indexes) };
}

const usedBy = (indexes: ReadonlyMap<string, Index>, field: string): string | undefined =>
  [...indexes].find(([, { fields }]) => fields.includes(field))?.[0];

class SchemaEditor {
  readonly schema: Map<string, Field>;
  readonly indexes: Map<string, Index>;
  readonly #entity: EntityDocument;
  readonly #rows: EntityRows;

  constructor(entity: EntityDocument, rows: EntityRows) {
    this.#entity = entity;
    this.#rows = rows;
    this.schema = new Map(Object.entries(schemaOf(entity)));
    this.indexes = new Map(Object.entries(indexesOf(entity)));
  }

  deleteIndex(name: string): void {
    if (Object.hasOwn(OWN_INDEXES, name)) throw refuse(`index.${name}`, "This index belongs to every entity");
    if (!this.indexes.delete(name)) throw refuse(`index.${name}`, "There is no such index");
  }

  changeField(name: string, change: FieldChange): void {
    const member = `schema.${name}`;
    if (isOwnField(name)) throw refuse(member, "This field belongs to every entity");
    if (change.action === "create") {
      this.#add(name, change);
      return;
    }
    const field = this.schema.get(name);
    if (field === undefined) throw refuse(member, "There is no such field");
    if (change.action === "delete") this.#delete(name);
    else if (change.action === "rename") this.#rename(name, change.new_name);
    else this.#update(name, field, change);
  }

  #add(name: string, field: NewField): void {
    const member = `schema.${name}`;
    if (!/^(?!__proto__$)[a-z_]{1,63}$/.test(name)) throw refuse(member, "Names of fields are made of a-z and _");
    if (this.schema.has(name)) throw refuse(member, "There is a field of this name");
    if (areTooManyFields(this.schema.size + 1))
      throw refuse(member, `At most ${MAX_FIELDS} fields`).assumed(entityGaps.limits);
    if (field.required === true && this.#rows.amount(this.#entity.id) > 0) {
      throw refuse(member, "A required field cannot be added to an entity with existing data");
    }
    this.schema.set(name, plainField(field));
  }

  #delete(name: string): void {
    const index = usedBy(this.indexes, name);
    if (index !== undefined)
      throw refuse(`schema.${name}`, `The index "${index}" uses this field`).assumed(entityGaps.schema);
    this.schema.delete(name);
    this.#rows.deleteField(this.#entity.id, name);
  }

  #rename(name: string, next: string): void {
    if (this.schema.has(next)) throw refuse(`schema.${name}`, `There is a field "${next}"`);
    const entries = [...this.schema].map(([key, field]) => [key === name ? next : key, field] as const);
    this.schema.clear();
    for (const [key, field] of entries) this.schema.set(key, field);
    for (const [key, { fields }] of this.indexes) {
      this.indexes.set(key, { fields: fields.map((field) => (field === name ? next : field)) });
    }
    this.#rows.renameField(this.#entity.id, name, next);
  }

  #update(name: string, field: Field, change: { readonly required?: boolean; readonly type?: Field["type"] }): void {
    const member = `schema.${name}`;
    if (change.type !== undefined && change.type !== field.type) throw refuse(member, "The type cannot change");
    if (change.required === true && this.#rows.hasEmpty(this.#entity.id, name)) {
      throw refuse(member, "There are rows without a value in this field").assumed(entityGaps.schema);
    }
    this.schema.set(name, { ...field, ...(change.required !== undefined && { required: change.required }) });
  }
}

/** Applies changes to fields and indexes, and updates the rows. */
export function applyChanges(
  entity: EntityDocument,
  changes: EntitySchemaChanges,
  rows: EntityRows,
): { readonly schema: Record<string, Field>; readonly index: Indexes } {
  const editor = new SchemaEditor(entity, rows);
  const indexes = Object.entries(changes.index ?? {});
  for (const [name, change] of indexes) if (change.action === "delete") editor.deleteIndex(name);
  for (const [name, change] of Object.entries(changes.schema ?? {})) editor.changeField(name, change);
  for (const [name, change] of indexes) {
    if (change.action === "delete") continue;
    if (!/^[a-z0-9_]{1,63}$/.test(name)) throw refuse(`index.${name}`, "Names of indexes are made of a-z, 0-9 and _");
    addIndex(editor.indexes, editor.schema, name, change);
  }
  return { schema: Object.fromEntries(editor.schema), index: Object.fromEntries(editor.indexes) };
}
