package org.terrace.cluster.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SessionSettingsTest {
  private static final String FIRST = "SET lock_timeout = 1";
  private static final String SECOND = "SET role x";
  private static final String THIRD = "SET lock_timeout = 3";

  @Test
  void goingBackToASavepointTakesBackWhatWasSetSince() {
    SessionSettings settings = new SessionSettings(Engine.POSTGRESQL);
    settings.changed(FIRST, false);
    settings.savepoint(1);
    settings.changed(SECOND, true);
    settings.savepoint(2);
    settings.changed(THIRD, true);
    settings.changed(FIRST, true);

    settings.backTo(2);
    assertThat(settings.statements()).containsExactly(FIRST, SECOND);
    settings.changed(THIRD, true);
    settings.backTo(2);
    assertThat(settings.statements()).containsExactly(FIRST, SECOND);
    settings.backTo(1);
    assertThat(settings.statements()).containsExactly(FIRST);
    settings.end(true);
    assertThat(settings.statements()).containsExactly(FIRST);
  }

  @Test
  void aTransactionThatIsNotCommittedTakesBackAllOfIt() {
    SessionSettings settings = new SessionSettings(Engine.POSTGRESQL);
    settings.changed(FIRST, false);
    settings.changed(SECOND, true);
    settings.savepoint(1);
    settings.changed(THIRD, true);
    settings.backTo(1);

    settings.end(false);
    assertThat(settings.statements()).containsExactly(FIRST);

    settings.changed(SECOND, true);
    settings.end(true);
    settings.changed(THIRD, true);
    settings.end(false);
    assertThat(settings.statements()).containsExactly(FIRST, SECOND);
  }

  @Test
  void aLocalSettingEndsWithItsTransaction() {
    SessionSettings settings = new SessionSettings(Engine.POSTGRESQL);
    settings.changed("SET LOCAL role y", false);
    assertThat(settings.statements()).isEmpty();
    settings.savepoint(1);
    settings.changed("SET LOCAL role y", true);
    assertThat(settings.statements()).hasSize(1);

    settings.end(true);
    assertThat(settings.statements()).isEmpty();
  }

  @Test
  void mariaDbTakesNoSettingBack() {
    SessionSettings settings = new SessionSettings(Engine.MARIADB);
    settings.savepoint(1);
    settings.changed("SET unique_checks = 0", true);

    settings.backTo(1);
    settings.end(false);
    assertThat(settings.statements()).containsExactly("SET unique_checks = 0");
  }
}
