// What the examples of docstrings take from elsewhere.
import * as claude from "@ai-sdk/anthropic";

export const createAnthropic = claude.createAnthropic;
