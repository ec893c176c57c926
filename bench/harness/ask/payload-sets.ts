import type { Payload } from "../../../test/journeys/payloads.fixture.ts";
import { type Question, type QuestionSet, questionSet } from "./ask-question.ts";
import { commitQuestions } from "./commit-questions.ts";
import { issueQuestions } from "./issue-questions.ts";
import { fileQuestions, labelQuestions, repositoryQuestions } from "./repository-questions.ts";

/** Each payload's shape is known to its questions alone. */
const questionsOf: Readonly<Record<string, readonly Question<never>[]>> = {
  gh_issues: issueQuestions,
  gh_commits: commitQuestions,
  gh_dir_listing: fileQuestions,
  gh_labels: labelQuestions,
  gh_repo_single: repositoryQuestions,
};

/** The questions to the payloads that are there. */
export function payloadSets(payloads: readonly Payload[]): readonly QuestionSet[] {
  return payloads.flatMap(({ name, value }) => {
    const questions = questionsOf[name];
    return questions === undefined ? [] : [questionSet(name, value, questions)];
  });
}
