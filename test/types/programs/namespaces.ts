// The package as one object, as programs in CommonJS have it, with the namespaces of its types.

import type { Types } from "iotdeck";
import * as TagoIO from "iotdeck";

const query: Types.DeviceQuery = { fields: ["id", "name"], amount: 10 };
const permission: Types.PermissionOption = "write";
const tags: Types.TagsObj[] = [{ key: "a", value: "b" }];
type Conditions = Types.Conditionals;

export class Sites {
  private readonly resources: TagoIO.Resources;
  private readonly router: TagoIO.Utils.AnalysisRouter | undefined;

  constructor(token: string) {
    this.resources = new TagoIO.Resources({ token });
    this.router = undefined;
  }
  async names(is: Conditions): Promise<string[]> {
    const devices = await this.resources.devices.list({ ...query, filter: { tags } });
    console.log(is, permission, this.router, TagoIO.Utils.envToJson([]));
    return devices.map(({ name }) => name);
  }
}
