// The parts of the Python package, each a list of its requests.
import { account } from "./account.js";
import { automation } from "./automation.js";
import { dashboards, entities, files } from "./content.js";
import { data, devices, networks } from "./devices.js";
import { services } from "./services.js";

export const areas = {
  Devices: devices,
  "Device data": data,
  "Networks and connectors": networks,
  "Analyses, actions and access": automation,
  "Dashboards and dictionaries": dashboards,
  Entities: entities,
  Files: files,
  "Services, notifications and secrets": services,
  "Account, profiles and portal": account,
};
