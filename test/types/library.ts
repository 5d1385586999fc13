/** What the compiler must know about the library. Checked by `tsc`, never run: a wrong type is an error of this file. */
import { expectTypeOf } from "vitest";
import {
  Account,
  type ApiError,
  Cache,
  type DataAggregate,
  type DataCreate,
  type DataNumber,
  type DataQuery,
  Device,
  type DeviceData,
  type DeviceDataNumber,
  type DeviceInfo,
  type DeviceListItem,
  type InputError,
  type Picked,
  type RawReply,
  type Region,
  type RequestError,
  Resources,
  rawRequest,
  type SdkError,
} from "../../src/index.ts";
import type { DateKeys } from "../../src/lib/api/dates.ts";
import type { Given } from "../../src/lib/api/list-query.ts";
import type { ResultOf } from "../../src/lib/api/result-kind.ts";
import { get, type PathParts, type PathValues, put, type Route } from "../../src/lib/api/route.ts";

// Paths
expectTypeOf<PathParts<"/device">>().toEqualTypeOf<never>();
expectTypeOf<PathParts<"/device/:deviceID">>().toEqualTypeOf<"deviceID">();
expectTypeOf<PathParts<"/device/:deviceID/params/:paramID">>().toEqualTypeOf<"deviceID" | "paramID">();
expectTypeOf<PathParts<"/dashboard/:dashboardID/widget/">>().toEqualTypeOf<"dashboardID">();
expectTypeOf<PathValues<"/a/:b/:c">>().toEqualTypeOf<{ readonly b: string; readonly c: string }>();
expectTypeOf<{ b: string }>().not.toExtend<PathValues<"/a/:b/:c">>();
expectTypeOf(get("/device/:deviceID")).toEqualTypeOf<Route<"/device/:deviceID", "object">>();
expectTypeOf(get("/device", { list: {} })).toEqualTypeOf<Route<"/device", "list">>();
expectTypeOf(get("/data", { result: "data", list: {} })).toEqualTypeOf<Route<"/data", "data">>();
expectTypeOf(put("/device/:deviceID")).toEqualTypeOf<Route<"/device/:deviceID", "any">>();

// Results: what a call promises fits the kind of its route
expectTypeOf<DeviceInfo>().toExtend<ResultOf<"object">>();
expectTypeOf<DeviceInfo[]>().not.toExtend<ResultOf<"object">>();
expectTypeOf<string>().not.toExtend<ResultOf<"object">>();
expectTypeOf<DeviceInfo[]>().toExtend<ResultOf<"list">>();
expectTypeOf<DeviceInfo>().not.toExtend<ResultOf<"list">>();
expectTypeOf<DeviceInfo[] | number>().toExtend<ResultOf<"data">>();
expectTypeOf<string>().not.toExtend<ResultOf<"data">>();

// Dates: all of a type, and nothing else
expectTypeOf<readonly ["b", "a"]>().toExtend<DateKeys<{ a: Date; b?: Date | null; c: string }>>();
expectTypeOf<readonly ["a"]>().not.toExtend<DateKeys<{ a: Date; b?: Date | null; c: string }>>();
expectTypeOf<readonly ["a", "c"]>().not.toExtend<DateKeys<{ a: Date; c: string }>>();

// Lists: the asked fields when the query names them, else the default ones for certain
const resources = new Resources({ token: "t" });
const { devices } = resources;
const plain = () => devices.list();
expectTypeOf(plain).returns.resolves.items.toHaveProperty("name");
expectTypeOf<Awaited<ReturnType<typeof plain>>[number]["id"]>().toEqualTypeOf<string>();
expectTypeOf<Awaited<ReturnType<typeof plain>>[number]["last_input"]>().toEqualTypeOf<Date | null | undefined>();
const asked = () => devices.list({ fields: ["last_input"], amount: 5 });
expectTypeOf<Awaited<ReturnType<typeof asked>>[number]["last_input"]>().toEqualTypeOf<Date | null>();
expectTypeOf<Awaited<ReturnType<typeof asked>>[number]["tags"]>().toEqualTypeOf<DeviceListItem["tags"]>();
expectTypeOf<Awaited<ReturnType<typeof asked>>[number]>().not.toHaveProperty("name");
expectTypeOf<Picked<{ id: string; a: number; b: Date }, { fields: ["b"] }, "a">>().toEqualTypeOf<{
  id: string;
  b: Date;
}>();
const everyAsked = () => devices.all({ fields: ["last_input"], amount: 5 });
expectTypeOf(everyAsked).returns.toExtend<AsyncIterable<{ id: string; last_input: Date | null }>>();
type RowOf<Rows> = Rows extends AsyncGenerator<infer Row> ? Row : never;
expectTypeOf<RowOf<ReturnType<typeof everyAsked>>>().toEqualTypeOf<Awaited<ReturnType<typeof asked>>[number]>();
const tokens = () => devices.tokenList("d1", { fields: ["expire_time"] });
expectTypeOf<Awaited<ReturnType<typeof tokens>>[number]["expire_time"]>().toEqualTypeOf<Date | "never" | null>();

// Results and arguments
expectTypeOf(devices.info).returns.resolves.toEqualTypeOf<DeviceInfo>();
expectTypeOf<DeviceInfo["created_at"]>().toEqualTypeOf<Date>();
expectTypeOf(devices.amount).returns.resolves.toEqualTypeOf<number>();
expectTypeOf<Parameters<typeof devices.getDeviceData>[1]>().toEqualTypeOf<Given<DataQuery> | undefined>();
expectTypeOf<ReturnType<typeof devices.getDeviceData>>().resolves.toEqualTypeOf<DeviceData[]>();
expectTypeOf<readonly [{ readonly variable: "a"; readonly value: 1 }]>().toExtend<Parameters<Device["sendData"]>[0]>();
expectTypeOf<{ value: number }>().not.toExtend<DataCreate>();
expectTypeOf(resources.profiles.info).toBeCallableWith("current");
expectTypeOf(Account.login).parameter(1).toEqualTypeOf<Region | undefined>();
expectTypeOf<Account["devices"]>().toEqualTypeOf<Resources["devices"]>();

// Streams
const device = new Device({ token: "t", region: "eu-w1" });
const newest = () => device.getData({ variables: "level", query: "last_item" });
expectTypeOf(newest).returns.resolves.toEqualTypeOf<DeviceData[]>();
const anything = (query: DataQuery) => device.getData(query);
expectTypeOf(anything).returns.resolves.toEqualTypeOf<DeviceData[]>();
const counted = () => device.getData({ query: "count" });
expectTypeOf(counted).returns.resolves.toEqualTypeOf<DataNumber[]>();
const average = () => devices.getDeviceData("d1", { query: "avg", variables: "level", start_date: "1 day" });
expectTypeOf(average).returns.resolves.toEqualTypeOf<DeviceDataNumber[]>();
const hourly = () => devices.getDeviceData("d1", { query: "aggregate", function: "avg", interval: "hour" });
expectTypeOf(hourly).returns.resolves.toEqualTypeOf<DataAggregate[]>();
expectTypeOf<DataAggregate>().not.toHaveProperty("id");
expectTypeOf(device.getDataStreaming).returns.toEqualTypeOf<AsyncGenerator<DeviceData[], void, undefined>>();
expectTypeOf(device.sendDataStreaming).returns.resolves.toEqualTypeOf<string>();

// Regions
expectTypeOf<"us-e1" | "usa-1" | "eu-w1" | "env">().toExtend<Region>();
expectTypeOf<{ api: string; sse: string }>().toExtend<Region>();
expectTypeOf<{ tdeploy: string }>().toExtend<Region>();
expectTypeOf<"mars-1">().not.toExtend<Region>();
expectTypeOf<{ sse: string }>().not.toExtend<Region>();

// Errors
expectTypeOf<ApiError | RequestError | InputError>().toExtend<SdkError>();
expectTypeOf<RequestError["status"]>().toEqualTypeOf<-1>();
expectTypeOf<ApiError["data"]>().toEqualTypeOf<unknown>();
expectTypeOf<ApiError["retryAfterMs"]>().toEqualTypeOf<number | undefined>();

// What nobody can know is unknown, never any
expectTypeOf(rawRequest).returns.resolves.toEqualTypeOf<RawReply>();
expectTypeOf<RawReply["result"]>().toEqualTypeOf<unknown>();
expectTypeOf(Cache.getCache).returns.toEqualTypeOf<unknown>();
