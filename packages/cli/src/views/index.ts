/** The door of the room `views`: records as text for people, and as JSON. */
export { became } from "./became.ts";
export { duration } from "./duration.ts";
export { fileError } from "./file-error.ts";
export { firedView } from "./fired.ts";
export { cut, oneLine, padded, widthOf, wrapped } from "./fit.ts";
export { labelled } from "./labelled.ts";
export { layersView } from "./layers.ts";
export { logView, quietView } from "./log.ts";
export { isForEvent, placesOf, plainNames, withNames } from "./moment.ts";
export { homePath, originOf, shortPath, shortPaths } from "./origin.ts";
export { actionOf, effectLines, isDenial } from "./outcome.ts";
export { type Paint, painter, type Tone } from "./paint.ts";
export { concerns, problemLines, problemsView } from "./problems.ts";
export { storyView } from "./story.ts";
export { storyJson } from "./story-json.ts";
export { dateAndTime } from "./time.ts";
export { type ViewOptions, viewOptions } from "./view-options.ts";
export { type WhyNot, whyNot } from "./why-not.ts";
