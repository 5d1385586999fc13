/** Records of the demo account that bodies may name. */
export const SEEDED = {
  profile: "65a1000000000000000f0001",
  device: "65a1000000000000000d0001",
  network: "65a1000000000000000e0001",
  connector: "65a1000000000000000c0001",
  ownNetwork: "65a1000000000000000e0003",
  ownConnector: "65a1000000000000000c0003",
  analysis: "65a1000000000000000a0001",
  /** Has stored chunks. */
  immutableDevice: "65a1000000000000000d0002",
  email: "demo@example.test",
  password: "demo-password",
};
