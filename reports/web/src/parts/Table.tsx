// A table that sorts by its headings and filters by a text; rows beyond a page are shown on request.
import {
  type ColumnDef,
  type RowData,
  getCoreRowModel,
  getFilteredRowModel,
  getPaginationRowModel,
  getSortedRowModel,
  useReactTable,
  flexRender,
  type SortingState,
} from "@tanstack/react-table";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

declare module "@tanstack/react-table" {
  // eslint-disable-next-line
  interface ColumnMeta<TData extends RowData, TValue> {
    number?: boolean;
  }
}

export interface Column<T> {
  name: string; // heading
  value: (row: T) => string | number; // sorted and filtered by
  show?: (row: T) => ComponentChildren; // default: the value
}

// Characters from which on a cell breaks anywhere and shows its first lines only: a name may have
// any length, and the columns beside it must stay in sight.
const kLong = 80;

interface Props<T> {
  caption: string; // says what a row is
  rows: T[];
  columns: Column<T>[];
  hidden?: boolean; // the heading above says it already: the caption is for screen readers
  // On a narrow window a row is a block: its first cell, then the others in a line, each with its
  // heading. Default: of more than three columns.
  stack?: boolean;
  filter?: boolean; // default: from ten rows on
  page?: number; // rows shown at first
}

export function Table<T>({ caption, rows, columns, hidden, stack = columns.length > 3, filter, page = 50 }: Props<T>) {
  const [sorting, setSorting] = useState<SortingState>([]);
  const [text, setText] = useState("");
  const defs: ColumnDef<T, any>[] = columns.map((c, i) => ({
    id: String(i),
    header: c.name,
    accessorFn: c.value,
    cell: (x) => {
      const shown = c.show ? c.show(x.row.original) : String(x.getValue());
      return String(x.getValue()).length > kLong ? <div class="long">{shown}</div> : shown;
    },
    sortDescFirst: rows.length > 0 && typeof c.value(rows[0]!) === "number",
    // "alphanumeric" would put 0.15 behind 0.2: it compares the digits behind a point as a number.
    sortingFn: rows.length > 0 && typeof c.value(rows[0]!) === "number" ? "basic" : "alphanumeric",
    meta: { number: rows.length > 0 && typeof c.value(rows[0]!) === "number" },
  }));
  const table = useReactTable<T>({
    data: rows,
    columns: defs,
    state: { sorting, globalFilter: text },
    initialState: { pagination: { pageIndex: 0, pageSize: page } },
    onSortingChange: setSorting,
    onGlobalFilterChange: setText,
    globalFilterFn: "includesString",
    getColumnCanGlobalFilter: () => true,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
    getFilteredRowModel: getFilteredRowModel(),
    getPaginationRowModel: getPaginationRowModel(),
  });
  const shown = table.getRowModel().rows;
  const left = table.getFilteredRowModel().rows.length;
  return (
    <div class="table">
      {(filter ?? rows.length >= 10) && (
        <label class="filter">
          Filter{" "}
          <input
            type="search"
            value={text}
            aria-label={`Filter: ${caption}`}
            onInput={(e) => table.setGlobalFilter(e.currentTarget.value)}
          />{" "}
          <span class="soft" role="status">
            {left === rows.length ? `${rows.length} rows` : `${left} of ${rows.length} rows`}
          </span>
        </label>
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
        <table class={stack ? "stack" : ""}>
          <caption class={hidden ? "unseen" : ""}>{caption}</caption>
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {group.headers.map((h) => {
                  const sorted = h.column.getIsSorted();
                  const aria = sorted === "asc" ? "ascending" : sorted === "desc" ? "descending" : "none";
                  return (
                    <th key={h.id} scope="col" aria-sort={aria} class={h.column.columnDef.meta?.number ? "n" : ""}>
                      <button type="button" class="sort" onClick={h.column.getToggleSortingHandler()}>
                        {flexRender(h.column.columnDef.header, h.getContext())}
                        <span aria-hidden="true">{sorted === "asc" ? " ▲" : sorted === "desc" ? " ▼" : ""}</span>
                      </button>
                    </th>
                  );
                })}
              </tr>
            ))}
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.id}>
                {row.getVisibleCells().map((cell) => (
                  <td key={cell.id} data-name={String(cell.column.columnDef.header)} class={cell.column.columnDef.meta?.number ? "n" : ""}>
                    {flexRender(cell.column.columnDef.cell, cell.getContext())}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < left && (
        <button type="button" onClick={() => table.setPageSize(left)}>
          Show all {left} rows
        </button>
      )}
    </div>
  );
}
