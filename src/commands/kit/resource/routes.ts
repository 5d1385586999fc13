/** Where the platform lists the resources of a noun; a resource is below it, by its id. */
export const resourceRoutes = {
  access: "/am",
  action: "/action",
  analysis: "/analysis",
  connector: "/integration/connector",
  dashboard: "/dashboard",
  device: "/device",
  dictionary: "/dictionary",
  entity: "/entity",
  network: "/integration/network",
  secret: "/secrets",
  sql: "/sql",
  user: "/run/users",
} as const;
