/** The door of the room `telemetry`: records for other people's tools, written to a file of the user's. */
export { attachTelemetry, type Telemetry, type TelemetryOptions } from "./attach.ts";
export { type TelemetrySettings, type TelemetryVariables, telemetrySettings } from "./settings.ts";
