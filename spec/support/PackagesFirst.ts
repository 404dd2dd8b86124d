import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Order of spec files: those of the project `packages` first, which take longest; beside them those of `sockets` wait. */
export class PackagesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFirst = ({ project }: TestSpecification): boolean => project.name === 'packages';
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}
