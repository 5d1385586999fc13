import type { ChangeEvent } from "react";
import type { StoredFile } from "../../index.ts";
import { countOf } from "../../text/count.ts";
import { Content, Heading, Outcome, State } from "../components/basics.tsx";
import { Confirm } from "../components/confirm.tsx";
import { Empty } from "../components/empty.tsx";
import { Table } from "../components/table.tsx";
import { type Doing, useConsole, useDoing, useLiveReload, useLoad, useSandbox } from "../hooks.ts";
import { isChange } from "../live.ts";
import { href, useParam, type ViewProps } from "../router.ts";
import { save } from "../save.ts";
import { moment, msOf, shown } from "../text.ts";

const lastPart = (path: string): string => path.split("/").filter(Boolean).at(-1) ?? path;

const nameIn = ({ filename }: { readonly filename: string }) => shown(lastPart(filename), 200);
const sizeIn = ({ size }: { readonly size: number }) => size;

/** The way to the folder that is shown. */
function FolderPath({ parents }: { readonly parents: readonly string[] }) {
  return (
    <nav aria-label="Folder" className="row">
      <a href={href(["files"])}>All files</a>
      {parents.map((name, index) => {
        const path = parents.slice(0, index + 1).join("/");
        return (
          <span key={path}>
            / <a href={href(["files"], { folder: path })}>{shown(name, 80)}</a>
          </span>
        );
      })}
    </nav>
  );
}

/** Uploads a file into a folder. */
function Upload({ folder, doing }: { readonly folder: string; readonly doing: Doing }) {
  const { resources } = useConsole();
  const upload = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const file = target.files?.[0];
    if (file === undefined) return;
    doing.act(
      async () => {
        await resources.files.uploadFile(file, folder === "" ? file.name : `${folder}/${file.name}`);
        target.value = "";
      },
      `Uploaded ${shown(file.name, 100)}`,
    );
  };
  return (
    <label className="upload">
      Upload a file here <input type="file" onChange={upload} disabled={doing.isBusy} />
    </label>
  );
}

/** What can be done with one file. */
function FileActions({ filename, doing }: { readonly filename: string; readonly doing: Doing }) {
  const { resources } = useConsole();
  const session = useSandbox();
  // The token goes in a header: no address holds one.
  const download = (): void =>
    doing.run(async () => {
      const encoded = filename.split("/").map(encodeURIComponent).join("/");
      const headers = { token: session.tokens.profile };
      const response = await fetch(`/file/${session.profileId}/${encoded}`, { headers });
      if (!response.ok) throw new Error(`The file could not be read (status ${response.status})`);
      save(await response.blob(), lastPart(filename));
      return "Downloaded";
    });
  return (
    <>
      {/\.html?$/i.test(filename) && <a href={href(["files", filename])}>Show as a dashboard</a>}
      <button type="button" disabled={doing.isBusy} onClick={download}>
        Download
      </button>
      <Confirm
        label="Delete"
        question={`Delete ${shown(filename, 200)}?`}
        onYes={() => doing.act(() => resources.files.delete([filename]), "Deleted")}
      />
    </>
  );
}

interface FileTableProps {
  readonly files: readonly StoredFile[];
  /** Whether the profile has no others. */
  readonly isAll: boolean;
  readonly doing: Doing;
}

/** The files of a folder. */
function FileTable({ files, isAll, doing }: FileTableProps) {
  return (
    <Table
      caption={countOf(files.length, "file")}
      rows={files}
      rowKey={({ filename }) => filename}
      empty={
        isAll ? (
          <Empty of="files" command="iot file upload">
            <p>Upload one above.</p>
          </Empty>
        ) : (
          "There are no files in this folder."
        )
      }
      columns={[
        { title: "Name", cell: nameIn, sort: nameIn },
        { title: "Bytes", kind: "number", cell: ({ size }) => size.toLocaleString("en-US"), sort: sizeIn },
        {
          title: "Written",
          kind: "time",
          cell: (file) => moment(file.last_modified),
          sort: (file) => msOf(file.last_modified),
        },
        {
          title: "Access",
          cell: (file) => (file.public ? <State tone="warn">Public</State> : <State tone="plain">Private</State>),
        },
        {
          title: "Actions",
          kind: "actions",
          cell: ({ filename }) => <FileActions filename={filename} doing={doing} />,
        },
      ]}
    />
  );
}

export function FilesView({ route }: ViewProps) {
  const { resources } = useConsole();
  const folder = route.query.get("folder") ?? "";
  const [token, setToken] = useParam("after");
  const loaded = useLoad(`${folder} ${token}`, () =>
    resources.files.list({ path: folder, quantity: 500, ...(token !== "" && { paginationToken: token }) }),
  );
  const doing = useDoing(loaded.reload);
  useLiveReload(loaded.reload, (event) => isChange(event, "file"));
  const parents = folder.split("/").filter(Boolean);
  return (
    <>
      <Heading title="Files" about="Files of the profile." />
      <FolderPath parents={parents} />
      <div className="tools">
        <Upload folder={folder} doing={doing} />
      </div>
      <Outcome doing={doing} />
      <Content of={loaded}>
        {({ files, folders, pagination_token: following }) => (
          <>
            {folders.length > 0 && (
              <ul className="folders" aria-label="Folders">
                {folders.map((name) => (
                  <li key={name}>
                    <a href={href(["files"], { folder: [...parents, name].join("/") })}>{shown(name, 120)}/</a>
                  </li>
                ))}
              </ul>
            )}
            <FileTable files={files} isAll={folder === "" && folders.length === 0} doing={doing} />
            {following !== undefined && (
              <button type="button" onClick={() => setToken(following)}>
                Next files
              </button>
            )}
          </>
        )}
      </Content>
    </>
  );
}
