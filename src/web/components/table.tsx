import { type ReactNode, useDeferredValue, useMemo } from "react";
import { numberIn, textIn } from "../../lib/widgets/draw/page.ts";
import { countOf } from "../../text/count.ts";
import { setParams, useParam } from "../router.ts";
import { shown } from "../text.ts";
import { Active, Input, Tags } from "./basics.tsx";

/** A column: what it is called, and how its cells look. */
interface Column<Row> {
  readonly title: string;
  readonly kind?: "number" | "time" | "code" | "id" | "actions" | "wide" | "path";
  readonly cell: (row: Row) => ReactNode;
  /** What rows can be sorted by. */
  readonly sort?: (row: Row) => string | number;
}

const SEARCH = "search";

function TagChoices({ of }: { readonly of: unknown }) {
  return <Tags of={of} onChoose={(tag) => setParams({ [SEARCH]: tag, page: "", open: "" })} />;
}

/** Columns that several lists have. */
export const stateColumn = {
  title: "State",
  cell: ({ active }: { readonly active?: boolean | undefined }) => <Active active={active} />,
  sort: ({ active }: { readonly active?: boolean | undefined }) => Number(active !== false),
};
export const tagsColumn = {
  title: "Tags",
  kind: "wide",
  cell: ({ tags }: { readonly tags?: unknown }) => <TagChoices of={tags} />,
} as const;

interface SearchProps<Row> extends Omit<TableProps<Row>, "caption"> {
  /** What a row is, in the singular and the plural. */
  readonly unit: readonly [one: string, many: string];
  /** After the count. */
  readonly order?: string;
  readonly label: string;
  /** What of a row is searched. The same function each time: the rows are read once. */
  readonly words: (row: Row) => readonly unknown[];
  /** Whether `rows` are a choice of more. */
  readonly isFiltered?: boolean;
  /** Other controls beside the search. */
  readonly children?: ReactNode;
  /** Shows the rows that were found in another way than a table does. */
  readonly body?: ((rows: readonly Row[], caption: string) => ReactNode) | undefined;
}

/** A table with a field that searches it. */
export function SearchTable<Row>(props: SearchProps<Row>) {
  const { unit, order = "", label, words, isFiltered = false, children, body, rows, empty, ...rest } = props;
  const [typed] = useParam(SEARCH);
  // What is typed stands in the field before the rows are searched.
  const search = useDeferredValue(typed).toLowerCase();
  const texts = useMemo(() => rows.map((row) => words(row).map(textOf).join("\n").toLowerCase()), [rows, words]);
  const found = useMemo(() => rows.filter((_, place) => texts[place]?.includes(search)), [rows, texts, search]);
  const none =
    search === "" && !isFiltered ? empty : `No ${unit[1]} match${search === "" ? "" : ` "${shown(search, 60)}"`}.`;
  const caption = `${countOf(found.length, ...unit)}${order}`;
  return (
    <>
      <div className="tools">
        <Input
          label={label}
          type="search"
          value={typed}
          onChange={(text) => setParams({ [SEARCH]: text, page: "", open: "" })}
        />
        {children}
      </div>
      {body === undefined || found.length === 0 ? (
        <Table caption={caption} rows={found} empty={none} {...rest} />
      ) : (
        body(found, caption)
      )}
    </>
  );
}

const textOf = (value: unknown): string => shown(value);
const collator = new Intl.Collator(undefined, { numeric: true });

/** Numbers by size, all else by its text. */
function compared(a: unknown, b: unknown): number {
  const [one, two] = [numberIn(a), numberIn(b)];
  return one !== undefined && two !== undefined ? one - two : collator.compare(textIn(a), textIn(b));
}

/**
 * Rows in an order of the address: the name of a column, after a minus from the largest to the smallest. What is missing comes
 * last.
 */
export function inOrder<Row>(
  rows: readonly Row[],
  order: string,
  sortFor: (name: string) => ((row: Row) => unknown) | undefined,
): readonly Row[] {
  const sort = sortFor(order.replace(/^-/, ""));
  if (sort === undefined) return rows;
  const sign = order.startsWith("-") ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: sort(row) }));
  const missing = (key: unknown): number => Number(key === undefined || key === null || key === "");
  keyed.sort((a, b) => missing(a.key) - missing(b.key) || sign * compared(a.key, b.key));
  return keyed.map(({ row }) => row);
}

interface SortHeadProps {
  readonly title: string;
  /** What an order calls the column. */
  readonly name?: string;
  readonly className?: string | undefined;
  readonly order: string;
  readonly onOrder: (order: string) => void;
}

/** The head of a column that rows can be sorted by. */
export function SortHead({ title, name = title, className, order, onOrder }: SortHeadProps) {
  const direction = order === name ? "ascending" : order === `-${name}` ? "descending" : undefined;
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button type="button" className="sort" onClick={() => onOrder(direction === "ascending" ? `-${name}` : name)}>
        {title}
      </button>
    </th>
  );
}

interface TableProps<Row> {
  /** Before the names of its parameters in the address, where a view has several tables. */
  readonly name?: string;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  readonly empty: ReactNode;
  readonly pageSize?: number;
  /** What the name of a row opens below it. */
  readonly detail?: (row: Row) => ReactNode;
}

interface TableRowProps<Row> extends Pick<TableProps<Row>, "columns"> {
  readonly row: Row;
  readonly detail: TableProps<Row>["detail"];
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** A row, and below it what its name has opened. */
function TableRow<Row>({ columns, row, detail, isOpen, onToggle }: TableRowProps<Row>) {
  const titleOf = (cell: ReactNode): ReactNode => {
    if (detail === undefined) return cell;
    return (
      <button type="button" className="link" aria-expanded={isOpen} onClick={onToggle}>
        {cell}
      </button>
    );
  };
  return (
    <>
      <tr>
        {columns.map(({ title, kind, cell }, index) =>
          index === 0 ? (
            <th key={title} scope="row" className={kind} data-title={title}>
              {titleOf(cell(row))}
            </th>
          ) : (
            <td key={title} className={kind} data-title={title}>
              {cell(row)}
            </td>
          ),
        )}
      </tr>
      {detail !== undefined && isOpen && (
        <tr>
          <td className="detail" colSpan={columns.length}>
            {detail(row)}
          </td>
        </tr>
      )}
    </>
  );
}

interface TableHeadProps<Row> extends Pick<TableProps<Row>, "columns"> {
  readonly order: string;
  readonly onOrder: (order: string) => void;
}

/** The titles of the columns, some of which sort the rows. */
function TableHead<Row>({ columns, order, onOrder }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr>
        {columns.map(({ title, kind, sort }) =>
          sort === undefined ? (
            <th key={title} scope="col" className={kind}>
              {title}
            </th>
          ) : (
            <SortHead key={title} title={title} className={kind} order={order} onOrder={onOrder} />
          ),
        )}
      </tr>
    </thead>
  );
}

/** A table in pages. The first column names the row. On a narrow screen every row is a card. */
export function Table<Row>({
  name = "",
  caption,
  columns,
  rows,
  rowKey,
  empty,
  pageSize = 50,
  detail,
}: TableProps<Row>) {
  const at = (param: string): string => (name === "" ? param : `${name}.${param}`);
  const [asked] = useParam(at("page"));
  const [order] = useParam(at("sort"));
  const [open, setOpen] = useParam(at("open"));
  if (rows.length === 0) return typeof empty === "string" ? <p className="none">{empty}</p> : empty;
  const all = inOrder(rows, order, (name) => columns.find(({ title }) => title === name)?.sort);
  const pages = Math.ceil(all.length / pageSize);
  // A row that is open stays in sight when newer ones push it to another page.
  const opened = open === "" ? -1 : all.findIndex((row) => String(rowKey(row)) === open);
  const wanted = opened < 0 ? (Number.parseInt(asked, 10) || 1) - 1 : Math.floor(opened / pageSize);
  const page = Math.min(Math.max(0, wanted), pages - 1);
  const visible = all.slice(page * pageSize, (page + 1) * pageSize);
  return (
    <div className="table">
      <table>
        <caption>{caption}</caption>
        <TableHead
          columns={columns}
          order={order}
          onOrder={(next) => setParams({ [at("sort")]: next, [at("page")]: "" })}
        />
        <tbody>
          {visible.map((row) => {
            const key = String(rowKey(row));
            return (
              <TableRow
                key={key}
                columns={columns}
                row={row}
                detail={detail}
                isOpen={open === key}
                onToggle={() => setOpen(open === key ? "" : key)}
              />
            );
          })}
        </tbody>
      </table>
      <Pages
        of={caption}
        page={page}
        pages={pages}
        rows={all.length}
        onPage={(next) => setParams({ [at("page")]: next === 0 ? "" : String(next + 1), [at("open")]: "" })}
      />
    </div>
  );
}

interface PagesProps {
  /** What the pages are of. */
  readonly of: string;
  readonly page: number;
  readonly pages: number;
  readonly rows: number;
  readonly onPage: (page: number) => void;
}

/** The way through the pages of a table; nothing where there is one. */
export function Pages({ of, page, pages, rows, onPage }: PagesProps) {
  if (pages <= 1) return null;
  return (
    <nav className="pages" aria-label={`Pages of ${of}`}>
      <button type="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span>
        Page {page + 1} of {pages}, {countOf(rows, "row")}
      </span>
      <button type="button" disabled={page === pages - 1} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
}
