/** The roll-call of profiles, and the door of the room. */

import type { ToolWording } from "../tools/index.ts";
import { gemini } from "./gemini.ts";
import type { Profile } from "./profile.ts";
import { qoderCn } from "./qoder-cn.ts";

export type { McpDetails, Profile, ProfilePlace } from "./profile.ts";
export const PROFILES: readonly Profile[] = [gemini, qoderCn];
/** The profile of a dialect; the first one where there is none of that name. */
export const profileOf = (dialect: string): Profile => PROFILES.find((profile) => profile.dialect === dialect) ?? gemini;
/** How a product tells a model of one of its tools; nothing where its table of words says all. */
export const wordingOf = ({ wording }: Profile, tool: string): ToolWording => (Object.hasOwn(wording, tool) ? (wording[tool] ?? {}) : {});
