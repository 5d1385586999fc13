// What the OpenAPI file leaves open, by operation id: bodies it shows no example of, and records an operation needs.
import { SEEDED } from "./seeded.js";

const { email, password } = SEEDED;

const chunk = async ({ ask }) => (await ask("GET", `/device/${SEEDED.immutableDevice}/chunk`))[0].id;

const onChunk = async (world) => ({ deviceID: SEEDED.immutableDevice, chunkID: await chunk(world) });

async function uploadParts({ ask }) {
  const filename = "part.png";
  const upload = async (multipart_action) => {
    const upload_id = await ask("POST", "/files", { multipart_action: "start", filename, contentType: "image/png" });
    if (multipart_action === "start") return { upload_id };
    const form = new FormData();
    const fields = { upload_id, filename, multipart_action: "upload", part: "1" };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append("file", new Blob(["content"]), filename);
    if (multipart_action === "upload") return { form };
    const { ETag } = await ask("POST", "/files", form);
    return { upload_id, parts: [{ ETag, PartNumber: 1 }] };
  };
  const { form } = await upload("upload");
  const end = { multipart_action: "end", filename, ...(await upload("end")) };
  return { bodies: [{ multipart_action: "start", filename, contentType: "image/png", public: true }, form, end] };
}

const secret = async ({ ask, next }, value) => (await ask("POST", "/secrets", { key: `KEY_${next()}`, value })).id;

/**
 * Each may give `values` for path parts and ids in bodies, `bodies` and `texts` instead of the examples, `query`, a `path` where the
 * file has a misprint, and by parameter what else it needs (`with`).
 */
export const calls = {
  getData: () => ({
    query: "details=true",
    with: Object.fromEntries(
      ["min", "max", "avg", "sum", "aggregate", "conditional"].map((query) => [
        `query=${query}`,
        "variables=temperature&start_date=1%20day&interval=day&function=" +
          (query === "conditional" ? "gt&value=1" : "avg"),
      ]),
    ),
  }),
  editData: ({ values }) => ({ bodies: [[{ id: values.rowID, value: "17", metadata: { color: "red" } }]] }),
  deleteData: () => ({ query: "variables=temperature" }),
  editDeviceData: ({ values }) => ({ values: { id: values.rowID } }),
  getDeviceData: () => ({ query: "details=true" }),
  deleteDeviceData: () => ({ query: "variables=temperature" }),
  createAndEditDeviceParams: ({ values }) => ({ values: { id: values.paramID } }),
  editDeviceConfigurationParameter: ({ values }) => ({ values: { id: values.paramID } }),
  listOfChunks: async (world) => ({ values: await onChunk(world) }),
  exportAChunkAsCsvToFiles: async (world) => {
    const { deviceID, chunkID } = await onChunk(world);
    return {
      values: { deviceID },
      bodies: [{ chunk_id: chunkID, file_address: "/device/$DEVICE$/$FROM$_$TO$", headers: true }],
    };
  },
  deleteChunk: async (world) => ({ values: await onChunk(world) }),
  convertDeviceType: async ({ ask, values }) => {
    await ask("PUT", `/device/${values.deviceID}`, { active: false });
    await ask("POST", `/device/${values.deviceID}/empty`, {});
    return {};
  },
  importDataFromACsvInFiles: async ({ ask }) => {
    const file = Buffer.from("variable,value\ntemperature,1\n").toString("base64");
    await ask("POST", "/files", [{ filename: "July_data/31072024_data.csv", file }]);
    return {};
  },
  editNotification: () => ({ bodies: [{ title: "Title", message: "Message", read: true, buttons_enabled: false }] }),
  editUser: () => ({ bodies: [{ name: "Name", company: "Plant", active: true, tags: [{ key: "a", value: "b" }] }] }),
  listUsers: async ({ ask, next }) => {
    // On the first page, and logged in once.
    const person = { name: "Anna", email: `anna${next()}@example.test`, password: "Secret-123" };
    await ask("POST", "/run/users", { ...person, timezone: "UTC", active: true });
    const { url } = await ask("GET", "/run");
    await ask("POST", `/run/${url}/login`, person);
    return {};
  },
  createUser: ({ next }) => ({
    bodies: [
      { name: "New", email: `new${next()}@example.test`, password: "Secret-123", timezone: "UTC", active: true },
    ],
  }),
  editSettings: () => ({ bodies: [{ name: "Portal", active: true }] }),
  getEntityData: () => ({ query: "index=id_idx" }),
  editEntityData: ({ values }) => ({ values: { id: values.rowID } }),
  deleteEntityData: ({ values }) => ({ bodies: [{ ids: values.rowIDs }] }),
  exportEntityData: () => ({ bodies: [{ file_address: "/entity.csv", headers: true }] }),
  createEntity: ({ next }) => ({ values: { name: `Entity ${next()}` } }),
  editDashboard: () => ({ bodies: [{ label: "Label", type: "dashboard", visible: true, tags: [], tabs: [] }] }),
  generatePublicToken: () => ({ query: "expire_time=never" }),
  uploadFilePart: uploadParts,
  deleteAFile: () => ({ bodies: [["layer05.png"]] }),
  loginToAccount: async ({ ask }) => {
    await ask("PUT", "/account", { phone: "+15555550100" });
    return { bodies: [{ email, password }] };
  },
  getAccountInformation: async ({ ask }) => {
    await ask("PUT", "/account", { options: { last_whats_new: "2024-01-01T00:00:00.000Z" } });
    return {};
  },
  getAProfileDetails: async ({ ask }) => {
    await ask("PUT", `/profile/${SEEDED.profile}`, { logo_url: "https://example.test/logo.png" });
    return {};
  },
  generateProfileToken: () => ({ bodies: [{ email, password, name: "New", profile_id: SEEDED.profile }] }),
  getPolicyList: () => ({ query: "orderBy=name,asc" }),
  updatePolicy: () => ({
    path: "/am/{am_id}",
    // The example has the effect "denied", which the file's own schema of a new policy does not know.
    bodies: [{ active: true, name: "New", permissions: [], tags: [{ key: "a", value: "b" }], targets: [["run_user"]] }],
  }),
  getAProfileStatistics: () => ({ path: "/profile/{id}/statistics" }),
  downloadProfileBackup: () => ({ bodies: [{ password }] }),
  deleteProfileBackup: () => ({ bodies: [{ password }] }),
  configureProfileService: async (world) => {
    const api_key = await secret(world, "SG.0123456789abcdef");
    return { bodies: [{ email: { provider: "sendgrid", from: "noreply@example.com", secrets: { api_key } } }] };
  },
  testProfileService: () => ({
    values: { service_type: "email" },
    bodies: [{ to: "user@example.com", subject: "Test", message: "Test" }],
  }),
  createDictionary: ({ next }) => ({
    bodies: [{ fallback: "fr-FR", languages: [{ code: "fr-FR", active: true }], name: "New", slug: `N${next()}` }],
  }),
  updateDictionary: ({ next }) => ({
    bodies: [{ fallback: "en-US", languages: [{ code: "en-US", active: true }], name: "Edited", slug: `E${next()}` }],
  }),
  sendDataUsingNetwork: ({ values }) => ({
    query: `authorization_token=${values.AuthorizationKey}`,
    bodies: [{ variable: "temperature", value: "1", metadata: { serial: values.serieNumber } }],
    // The parser of the network takes the whole text for the serial number.
    texts: [values.serieNumber],
  }),
};
