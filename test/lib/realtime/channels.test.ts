import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/lib/core/errors.ts";
import { type Channel, channels, channelText, eventsAddress } from "../../../src/lib/realtime/channels.ts";

describe("channels", () => {
  it("names every channel of the platform", () => {
    expect(channels).toEqual([
      "analysis_console",
      "device_inspector",
      "device_data",
      "entity_data",
      "ui_dashboard",
      "analysis_trigger",
      "notification",
      "ui",
    ]);
  });

  it("appends the id of the resource after a dot", () => {
    expect(channelText({ channel: "device_data", resource_id: "d1" })).toBe("device_data.d1");
    expect(channelText({ channel: "ui" })).toBe("ui");
  });

  it.each([
    ["an unknown channel", { channel: "weather" }, "Invalid channel weather"],
    ["a missing id", { channel: "device_data" }, "Invalid resource_id"],
    ["an id that would add a channel", { channel: "device_data", resource_id: "a,ui" }, "Invalid resource_id"],
    ["no channel at all", {}, "Invalid channel undefined"],
  ])("refuses %s", (_name, channel, message) => {
    expect(() => channelText(channel as Channel)).toThrow(InputError);
    expect(() => channelText(channel as Channel)).toThrow(message);
  });

  it.each(["http://127.0.0.1:1", "http://127.0.0.1:1/", "http://127.0.0.1:1/events", "http://127.0.0.1:1/other"])(
    "asks %s for /events",
    (sse) => {
      expect(eventsAddress(sse, { channel: "ui" }, "t")).toBe("http://127.0.0.1:1/events?channels=ui&token=t");
    },
  );

  it("joins several channels with commas and escapes them for the query", () => {
    const url = eventsAddress(
      "http://h/events",
      [{ channel: "ui" }, { channel: "device_data", resource_id: "d&3" }],
      "a&b",
    );
    expect(url).toBe("http://h/events?channels=ui%2Cdevice_data.d%263&token=a%26b");
  });

  it("rejects an empty list of channels", () => {
    expect(() => eventsAddress("http://h/events", [], "t")).toThrow("Invalid channels");
  });
});
