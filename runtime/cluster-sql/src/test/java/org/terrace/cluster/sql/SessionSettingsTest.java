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

  @Test
  void theLastSettingOfANameIsKeptAlone() {
    SessionSettings settings = new SessionSettings(Engine.POSTGRESQL);
    for (int tenant = 0; tenant < 1_000; tenant++) {
      settings.changed("SET search_path TO tenant_" + tenant, false);
      settings.changed("SET SESSION Lock_Timeout = " + tenant, false);
      settings.changed("SELECT set_config('application_name', 'a" + tenant + "', false)", false);
      settings.changed(SECOND, false);
      settings.changed("RESET role", false);
    }
    assertThat(settings.statements())
        .containsExactly(
            "SET search_path TO tenant_999",
            "SET SESSION Lock_Timeout = 999",
            "SELECT set_config('application_name', 'a999', false)",
            "RESET role");
  }

  @Test
  void aSettingOfTheTransactionAloneReplacesNoOtherOne() {
    SessionSettings settings = new SessionSettings(Engine.POSTGRESQL);
    settings.changed(FIRST, false);
    settings.changed("SET LOCAL lock_timeout = 2", true);
    settings.changed("SET LOCAL lock_timeout = 3", true);
    assertThat(settings.statements()).containsExactly(FIRST, "SET LOCAL lock_timeout = 3");
    settings.end(true);
    assertThat(settings.statements()).containsExactly(FIRST);
  }

  @Test
  void aSettingOfSeveralNamesGoesWhenAllOfThemAreSet() {
    SessionSettings settings = new SessionSettings(Engine.MARIADB);
    String both = "SET foreign_key_checks = 0, @@session.unique_checks = 0";
    String one = "SET unique_checks = 1";
    settings.changed(both, false);
    settings.changed(one, false);
    settings.changed("SET NAMES utf8mb4", false);
    assertThat(settings.statements()).containsExactly(both, one, "SET NAMES utf8mb4");
    settings.changed("SET SESSION foreign_key_checks = 1, unique_checks := 1", false);
    assertThat(settings.statements())
        .containsExactly(
            "SET NAMES utf8mb4", "SET SESSION foreign_key_checks = 1, unique_checks := 1");
  }

  @Test
  void savepointsThatAreReleasedAreForgotten() {
    SessionSettings settings = new SessionSettings(Engine.POSTGRESQL);
    settings.changed(FIRST, false);
    for (int number = 1; number < 20_000; number++) {
      settings.savepoint(number);
      settings.changed(SECOND, true);
      settings.savepoint(20_000 + number);
      settings.release(number);
    }
    assertThat(settings.savepoints()).isZero();
    settings.savepoint(50_000);
    settings.savepoint(50_001);
    settings.release(50_001);
    settings.changed(THIRD, true);
    settings.backTo(50_000);
    assertThat(settings.statements()).containsExactly(FIRST, SECOND);
  }

  @Test
  void aSavepointBehindOneThatWasGoneBackToKnowsWhatIsSetThere() {
    SessionSettings settings = new SessionSettings(Engine.POSTGRESQL);
    settings.savepoint(1);
    settings.changed(FIRST, true);
    settings.savepoint(2);
    settings.backTo(1);
    settings.savepoint(3);
    settings.changed(SECOND, true);
    settings.backTo(3);
    assertThat(settings.statements()).isEmpty();

    settings.changed("SET LOCAL role y", true);
    settings.savepoint(4);
    settings.end(true);
    settings.savepoint(5);
    settings.changed(FIRST, true);
    settings.backTo(5);
    assertThat(settings.statements()).isEmpty();
  }
}
