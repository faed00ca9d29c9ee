package org.terrace.studies.services;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ManagerStatusTest {
  private static final String RUNNING =
      """
      {"leading":true,"services":[{"degree":2,"replicas":[{"replica":"a","role":"primary","pid":7},\
      {"replica":"b","role":"backup"},{"replica":"c","role":"spare"}]}]}\
      """;

  @Test
  void aServiceIsRestoredByListedReplicasAlone() {
    ManagerStatus status = ManagerStatus.of(RUNNING);

    assertThat(status.degree()).isEqualTo(2);
    assertThat(status.primary()).hasValueSatisfying(p -> assertThat(p.pid()).isEqualTo(7));
    assertThat(status.isRestoredWithout("")).isTrue();
    assertThat(status.isRestoredWithout("a")).isFalse();
  }

  @Test
  void aManagerThatCannotTellHasRestoredNothing() {
    ManagerStatus status = ManagerStatus.of("{\"error\":\"the manager is starting; ask again\"}");

    assertThat(status.isRestoredWithout("")).isFalse();
    assertThat(status.primary()).isEmpty();
  }
}
