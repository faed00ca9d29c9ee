package org.terrace.databases.postgres;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresOptionsTest {
  private static final String ADDRESS = "127.14.9.1";

  @Test
  void badOptionsSayWhatWasExpected() {
    PostgresOptions good = PostgresOptions.at(ADDRESS, 5432);

    assertThatThrownBy(() -> PostgresOptions.at(ADDRESS, 70000)).hasMessageContaining("'70000'");
    assertThatThrownBy(() -> PostgresOptions.at("db; rm", 1)).hasMessageContaining("'db; rm'");
    assertThatThrownBy(() -> good.withDatabase("a\" b", "x")).hasMessageContaining("SQL name");
    assertThatThrownBy(() -> good.withSetting("port'", "1")).hasMessageContaining("port'");
    assertThatThrownBy(() -> good.withSetting("work_mem", "1\nfsync = off"))
        .hasMessageContaining("one line");
    assertThatThrownBy(() -> good.withClientNetworks(List.of("all")))
        .hasMessageContaining("127.0.0.0/8");
  }
}
