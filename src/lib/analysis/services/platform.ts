import { assertObject } from "../../api/assert.ts";
import type { CallOptions } from "../../api/client.ts";
import { Module } from "../../api/module.ts";
import { InputError } from "../../core/errors.ts";
import type { GenericID } from "../../resources/data-types.ts";
import type { NotificationCreate } from "../../resources/notifications.ts";
import { serviceRoutes } from "./routes.ts";

/** A notification for the account that owns the analysis, or for all it shares a dashboard with. */
export interface NotificationSend extends NotificationCreate {
  /** Dashboard to open. */
  ref_id?: GenericID;
}

/** A file for the platform to keep. */
export interface AttachmentArchive {
  /** Name of the file. */
  name: string;
  /** Base64. */
  content: string;
  /** MIME type. */
  type: string;
}

/** A command for a device that speaks TagoTiP. */
export interface TagoTiPCommand {
  /** Serial number of the device. */
  serial: string;
  /** How the device is reached. */
  protocol: string;
  /** The command itself. */
  body: string;
}

/** The console of the analysis. */
export class ConsoleService extends Module {
  /**
   * Writes a line.
   *
   * @param time when it happened. @default now
   * @example
   * ```ts
   * await services.console.log("The tank is full.", new Date());
   * ```
   */
  async log(message: string, time: Date = new Date(), options?: CallOptions): Promise<string> {
    const isTime = time instanceof Date || typeof time === "number" || typeof time === "string";
    const timestamp = isTime ? new Date(time).getTime() : Number.NaN;
    if (Number.isNaN(timestamp)) throw new InputError("Invalid time: it must be a date", "time");
    return this.call(serviceRoutes.console, { ...options, body: { message, timestamp } });
  }
}

/** Notifications. */
export class NotificationService extends Module {
  /**
   * Sends a notification.
   *
   * @example
   * ```ts
   * await services.notification.send({ title: "Tank", message: "It is full.", ref_id: dashboardID });
   * ```
   */
  async send(notification: NotificationSend, options?: CallOptions): Promise<string> {
    assertObject(notification, "notification");
    return this.call(serviceRoutes.notification, { ...options, body: notification });
  }
}

/** Files for the platform to keep. */
export class AttachmentService extends Module {
  /**
   * Uploads a file.
   *
   * @example
   * ```ts
   * await services.attachment.upload({ name: "report.csv", content: btoa("time,value\n"), type: "text/csv" });
   * ```
   */
  async upload(archive: AttachmentArchive, options?: CallOptions): Promise<string> {
    assertObject(archive, "archive");
    const body = { archive: archive.content, filename: archive.name, type: archive.type };
    return this.call(serviceRoutes.attachment, { ...options, body });
  }
}

/** Commands for devices that speak TagoTiP. */
export class TagoTiPService extends Module {
  /**
   * Sends a command.
   *
   * @example
   * ```ts
   * await services.tagotip.cmd({ serial: "0004A30B001C0530", protocol: "mqtt", body: "valve=open" });
   * ```
   */
  async cmd(command: TagoTiPCommand, options?: CallOptions): Promise<string> {
    assertObject(command, "command");
    const { serial, protocol, body } = command;
    return this.call(serviceRoutes.tagotip, { ...options, body: { serial, protocol, body } });
  }
}
