/** All tools of the agent, in the order in which a model is told of them. */
import { askUserTool } from "./ask-user.ts";
import { createTaskTool } from "./create-task.ts";
import { editFileTool } from "./edit-file.ts";
import { fetchUrlTool } from "./fetch-url.ts";
import { findFilesTool } from "./find-files.ts";
import { listDirectoryTool } from "./list-directory.ts";
import { listTasksTool } from "./list-tasks.ts";
import { readFileTool } from "./read-file.ts";
import { readManyFilesTool } from "./read-many-files.ts";
import { readTaskTool } from "./read-task.ts";
import { saveMemoryTool } from "./save-memory.ts";
import { searchTextTool } from "./search-text.ts";
import { shellTool } from "./shell.ts";
import type { Tool } from "./tool.ts";
import { updateTaskTool } from "./update-task.ts";
import { writeFileTool } from "./write-file.ts";
import { writeTodosTool } from "./write-todos.ts";

/** One tool a kind. A product's vocabulary offers those it has a word for. */
export const TOOLS: readonly Tool[] = [
  listDirectoryTool,
  readFileTool,
  readManyFilesTool,
  searchTextTool,
  findFilesTool,
  editFileTool,
  writeFileTool,
  shellTool,
  fetchUrlTool,
  writeTodosTool,
  createTaskTool,
  updateTaskTool,
  readTaskTool,
  listTasksTool,
  saveMemoryTool,
  askUserTool,
];
