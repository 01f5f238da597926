/** The roll-call of profiles, and the door of the room. */
import { gemini } from "./gemini.ts";
import type { Profile } from "./profile.ts";
import { qoderCn } from "./qoder-cn.ts";

export type { McpDetails, Profile, ProfilePlace } from "./profile.ts";
export const PROFILES: readonly Profile[] = [gemini, qoderCn];
/** The profile of a dialect; the first one where there is none of that name. */
export const profileOf = (dialect: string): Profile => PROFILES.find((profile) => profile.dialect === dialect) ?? gemini;
