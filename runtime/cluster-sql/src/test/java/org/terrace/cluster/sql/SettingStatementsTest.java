package org.terrace.cluster.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.cluster.sql.StatementAnalysis.Kind;

/** Statements that begin as settings do, which one server alone executes. */
class SettingStatementsTest {
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final StatementAnalyzer postgres =
      ShopTables.analyzer(Engine.POSTGRESQL, Set.of(), executor);
  private final StatementAnalyzer mariaDb = ShopTables.analyzer(Engine.MARIADB, Set.of(), executor);

  @AfterEach
  void close() {
    executor.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET STATEMENT foreign_key_checks = 0 FOR INSERT INTO item (note) VALUES (uuid())",
        "SET STATEMENT foreign_key_checks = 0 FOR DELETE FROM item",
        "SET foreign_key_checks := 0, sql_mode := 'ANSI_QUOTES'",
        "SET foreign_key_checks := 0, time_zone = '+00:00'",
        "SET NAMES utf8mb4, sql_mode := 'ANSI_QUOTES'",
        "SET role_of_all = 1",
        "SET GLOBAL foreign_key_checks = 0",
        "SET @@global.foreign_key_checks = 0",
        "SET foreign_key_checks = 0, GLOBAL unique_checks = 0",
        "SET foreign_key_checks = (SELECT count(*) FROM item)",
        "SET foreign_key_checks = NEXTVAL(plain)",
        "SET foreign_key_checks = @a",
        "SET foreign_key_checks",
        "SET NAMES gbk",
        "SET NAMES 'sjis'",
        "SET NAMES ?",
        "SET NAMES DEFAULT",
        "SET ROLE a, sql_mode = ''",
        "SET",
        "RESET foreign_key_checks",
      })
  void whatMariaDbDoesBehindSetIsRefused(String sql) {
    isRefused(mariaDb, sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET NAMES 'LATIN1'",
        "SET NAMES 'SJIS'",
        "SET search_path TO",
        "SET search_path TO a b",
        "SET search_path a",
        "SET search_path = (SELECT 'a')",
        "SET SESSION AUTHORIZATION shop",
        "SET TIME ZONE 'UTC'",
        "SET DateStyle = 'SQL'",
        "SET standard_conforming_strings = off",
        "RESET ALL",
        "RESET",
      })
  void whatPostgresDoesBehindSetIsRefused(String sql) {
    isRefused(postgres, sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET foreign_key_checks = 0",
        "SET SESSION foreign_key_checks = 0, @@unique_checks = OFF",
        "SET @@session.sql_safe_updates := ?, LOCAL foreign_key_checks = -1",
        "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
        "SET NAMES 'latin1', foreign_key_checks = DEFAULT",
        "SET ROLE clerk",
      })
  void settingsOfMariaDbPass(String sql) throws SQLException {
    assertThat(mariaDb.analyze(sql).kind()).isEqualTo(Kind.SETTING);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET search_path = shop, \"$user\", 'public'",
        "SET SESSION search_path TO DEFAULT",
        "SET LOCAL lock_timeout = 500",
        "SET statement_timeout = '5s'",
        "SET NAMES 'UTF8'",
        "SET ROLE clerk",
        "SET ROLE 'clerk'",
        "SET role TO none",
        "RESET search_path",
      })
  void settingsOfPostgresPass(String sql) throws SQLException {
    assertThat(postgres.analyze(sql).kind()).isEqualTo(Kind.SETTING);
  }

  @Test
  void whatIsLocalToATransactionIsTold() {
    assertThat(SessionSetting.isLocal("set /* a */ local role x", Engine.POSTGRESQL)).isTrue();
    assertThat(SessionSetting.isLocal("SET role TO local", Engine.POSTGRESQL)).isFalse();
    assertThat(SessionSetting.isLocal("SET LOCAL foreign_key_checks=0", Engine.MARIADB)).isFalse();
  }

  private static void isRefused(StatementAnalyzer analyzer, String sql) {
    assertThatThrownBy(() -> analyzer.analyze(sql))
        .as(sql)
        .isInstanceOf(RefusedStatementException.class)
        .hasMessageContaining("because ")
        .hasMessageContaining("Instead: ");
  }
}
