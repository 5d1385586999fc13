import { type ReactNode, useState } from "react";
import { countOf } from "../../text/count.ts";
import { includes } from "../text.ts";
import { Active, Input, Tags } from "./basics.tsx";

/** A column: what it is called, and how its cells look. */
interface Column<Row> {
  readonly title: string;
  readonly kind?: "number" | "time" | "code" | "id" | "actions" | "wide";
  readonly cell: (row: Row) => ReactNode;
}

/** Columns that several lists have. */
export const stateColumn = {
  title: "State",
  cell: ({ active }: { readonly active?: boolean | undefined }) => <Active active={active} />,
};
export const tagsColumn = {
  title: "Tags",
  kind: "wide",
  cell: ({ tags }: { readonly tags?: unknown }) => <Tags of={tags} />,
} as const;

interface SearchProps<Row> extends Omit<TableProps<Row>, "caption"> {
  readonly caption: (count: number) => string;
  readonly label: string;
  /** What of a row is searched. */
  readonly words: (row: Row) => readonly unknown[];
  /** Other controls beside the search. */
  readonly children?: ReactNode;
}

/** A table with a field that searches it. */
export function SearchTable<Row>({ label, words, children, caption, rows, ...rest }: SearchProps<Row>) {
  const [search, setSearch] = useState("");
  const found = rows.filter((row) => includes(search, ...words(row)));
  return (
    <>
      <div className="tools">
        <Input label={label} type="search" value={search} onChange={setSearch} />
        {children}
      </div>
      <Table caption={caption(found.length)} rows={found} {...rest} />
    </>
  );
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  readonly empty: string;
  readonly pageSize?: number;
  readonly onPage?: (page: number) => void;
}

/** A table in pages. The first column names the row. On a narrow screen every row is a card. */
export function Table<Row>({ caption, columns, rows, rowKey, empty, pageSize = 50, onPage }: TableProps<Row>) {
  const [asked, setPage] = useState(0);
  if (rows.length === 0) return <p className="none">{empty}</p>;
  const pages = Math.ceil(rows.length / pageSize);
  const page = Math.min(asked, pages - 1);
  const visible = rows.slice(page * pageSize, (page + 1) * pageSize);
  return (
    <div className="table">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, kind }) => (
              <th key={title} scope="col" className={kind}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {visible.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ title, kind, cell }, index) =>
                index === 0 ? (
                  <th key={title} scope="row" className={kind} data-title={title}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={title} className={kind} data-title={title}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <Pages
        of={caption}
        page={page}
        pages={pages}
        rows={rows.length}
        onPage={(next) => {
          setPage(next);
          onPage?.(next);
        }}
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
