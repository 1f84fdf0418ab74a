import type { FollowUp } from "./TurnTypes.ts";

/** What the model is told after a reply that was no answer. It stays in the conversation until the model has replied. */
export const followUpText = (followUp: FollowUp): string => {
  if (followUp.kind === "continue")
    return "Your reply was cut off at the output limit. Go on exactly where it stops, in the middle of a word if need be. Repeat nothing, and say nothing about this.";
  if (followUp.kind === "again") return "Your reply was empty. Answer in text, or call a tool.";
  if (followUp.kind === "checkpoint")
    return "Checkpoint: more than half of the run's steps are used. Before you go on, say in a few lines: what is the task, as it was given; what is done; what is next; and are you still heading to the original goal? Then go on, or change course.";
  if (followUp.kind === "goOn") return "Go on with the task. If it is done, give the final answer.";
  switch (followUp.claim) {
    case "call-as-text":
      return "Your reply writes out a tool call as text. Text runs nothing: no call was made and there is no result. To call a tool, make a real tool call; otherwise answer without one.";
    case "result":
      return "Your reply says that something was done, but no tool was called, so nothing was done. Do it with a tool call, or say plainly that it is not done.";
    case "refused-result":
      return "Your reply tells of success, but the call was refused and did not run. Say what was refused and what is not done because of it, or take another way that is allowed.";
  }
};

/** The same in a few words, for people. */
export const followUpReason = (followUp: FollowUp): string => {
  if (followUp.kind === "continue") return "the reply was cut at the output limit";
  if (followUp.kind === "again") return "the reply was empty";
  if (followUp.kind === "checkpoint") return "more than half of the steps are used";
  if (followUp.kind === "goOn") return "the model has said where it stands";
  switch (followUp.claim) {
    case "call-as-text":
      return "the reply writes a tool call as text";
    case "result":
      return "the reply claims work that no call has done";
    case "refused-result":
      return "the reply claims success of a call that was refused";
  }
};
