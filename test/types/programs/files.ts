// Files: uploads in parts and as base64, moves and permissions.
import {
  type Base64File,
  type CopyFiles,
  type FileListInfo,
  type FilesPermission,
  type Resources,
  Utils,
} from "iotdeck";

const files: Base64File[] = [{ filename: "/reports/1.txt", file: "YQ==", public: false }];
const moves: CopyFiles[] = [{ from: "/reports/1.txt", to: "/old/1.txt" }];
const permissions: FilesPermission[] = [{ file: "/old/1.txt", public: true }];

export async function archive(resources: Resources, content: Blob): Promise<string> {
  await resources.files.uploadBase64(files);
  await resources.files.move(moves);
  await resources.files.changePermission(permissions);
  let cancel = (): void => {};
  await resources.files.uploadFile(content, "/big.bin", {
    contentType: "application/octet-stream",
    chunkSize: 7_000_000,
    isPublic: true,
    onProgress: (percentage) => console.log(percentage),
    onCancelToken: (stop) => {
      cancel = stop;
    },
  });
  cancel();
  const list: FileListInfo = await resources.files.list({ path: "/old", quantity: 100 });
  console.log(
    list.files.map(({ filename, last_modified }) => [filename, last_modified?.getTime()]),
    list.folders,
  );
  return Utils.uploadFile(resources, { filename: "a.txt", file_base64: "YQ==", path: "/reports" });
}
