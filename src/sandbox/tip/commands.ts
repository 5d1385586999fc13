import type { SandboxDatabase } from "../store/types.ts";

/** Transports of commands. */
export const protocols = ["udp", "tcp", "http", "mqtt"] as const;
/** How a request arrived. */
export type TipOver = (typeof protocols)[number];

/** Commands that wait for one device; then the oldest is dropped. */
const MAX_WAITING = 100;

/** Delivers a command at once; whether it took it. */
export type Receiver = (command: string) => boolean;

/** Commands that wait for devices, and connections that take them at once. */
export class Commands {
  readonly #db: SandboxDatabase;
  readonly #connected = new Map<string, Set<Receiver>>();

  constructor(db: SandboxDatabase) {
    this.#db = db;
  }

  /** Adds a command to the end of the device's queue, in the transaction of the caller. */
  add(device: string, protocol: TipOver, body: string): void {
    this.#db.run("INSERT INTO tip_command (device, protocol, body) VALUES (?, ?, ?)", device, protocol, body);
    this.#db.run(
      `DELETE FROM tip_command WHERE position IN
         (SELECT position FROM tip_command WHERE device = ? ORDER BY position DESC LIMIT -1 OFFSET ?)`,
      device,
      MAX_WAITING,
    );
  }

  /** The oldest command, which is then gone. */
  take(device: string): string | undefined {
    const sql = "SELECT position, body FROM tip_command WHERE device = ? ORDER BY position LIMIT 1";
    const row = this.#db.get<{ position: number; body: string }>(sql, device);
    if (row !== undefined) this.#db.run("DELETE FROM tip_command WHERE position = ?", row.position);
    return row?.body;
  }

  /** Offers what waits for a connection over TCP to those of the device, in order, until none takes it. */
  deliver(device: string): void {
    const receivers = [...(this.#connected.get(device) ?? [])];
    if (receivers.length === 0) return;
    const sql = "SELECT position, body FROM tip_command WHERE device = ? AND protocol = 'tcp' ORDER BY position";
    for (const { position, body } of this.#db.all<{ position: number; body: string }>(sql, device)) {
      const taken = receivers.filter((receiver) => receiver(body));
      if (taken.length === 0) return;
      this.#db.run("DELETE FROM tip_command WHERE position = ?", position);
    }
  }

  /** Connects a receiver; the result disconnects it. */
  connect(device: string, receiver: Receiver): () => void {
    const all = this.#connected.get(device) ?? new Set();
    this.#connected.set(device, all.add(receiver));
    return () => {
      all.delete(receiver);
      if (all.size === 0 && this.#connected.get(device) === all) this.#connected.delete(device);
    };
  }

  remove(device: string): void {
    this.#db.run("DELETE FROM tip_command WHERE device = ?", device);
  }
}
