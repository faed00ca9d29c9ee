package org.terrace.cluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.testing.Depth;
import org.terrace.testing.Seeds;

/** The elements of batches in auto-commit whose connections are cut: those that count are there. */
class LostBatchesTest extends ConformanceServers {
  private static final int ROUNDS = Depth.of(30, 15);
  private static final int ELEMENTS_MAX = 6;

  @Override
  boolean isThroughController() {
    return false;
  }

  private CuttingRelay relay(ControllerServer controller) throws IOException {
    return CuttingRelay.to(controller::port);
  }

  private ControllerServer controller(String engine) {
    return ControllerServer.start(source(engine), "shop", "127.0.0.1", 0, "");
  }

  private static Connection connect(CuttingRelay relay) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:terrace:controller://127.0.0.1:%d/shop".formatted(relay.port()));
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void theElementsThatCountAreThoseThatAreThere(String engine) throws Exception {
    RandomGenerator random = Seeds.generator(Seeds.next("LostBatchesTest.texts"));
    try (ControllerServer controller = controller(engine);
        CuttingRelay relay = relay(controller)) {
      for (int round = 0; round < ROUNDS; round++) {
        int elements = 1 + random.nextInt(ELEMENTS_MAX);
        int from = round * ELEMENTS_MAX;
        int cut = random.nextInt(elements);
        try (Connection connection = connect(relay);
            Statement statement = connection.createStatement()) {
          for (int i = 0; i < elements; i++) {
            statement.addBatch("INSERT INTO item (id) VALUES (%d)".formatted(from + i));
          }
          if (random.nextBoolean()) {
            relay.cutAnswer(cut, () -> {});
          } else {
            relay.cutRequest(cut, () -> {});
          }
          BatchUpdateException failure =
              catchThrowableOfType(BatchUpdateException.class, statement::executeBatch);
          assertThat(ids(engine, from)).isEqualTo(ids(from, failure.getUpdateCounts().length));
        }
      }
    }
  }

  private static List<Integer> ids(int from, int many) {
    return IntStream.range(from, from + many).boxed().toList();
  }

  private List<Integer> ids(String engine, int from) throws SQLException {
    return replicas(engine)
        .everywhere("SELECT id FROM item WHERE id >= " + from + " ORDER BY id", 0)
        .getFirst()
        .lines()
        .map(Integer::valueOf)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void theRowsOfAPreparedBatchAreDoneTogether(String engine) throws Exception {
    try (ControllerServer controller = controller(engine);
        CuttingRelay relay = relay(controller)) {
      for (boolean answer : new boolean[] {true, false}) {
        try (Connection connection = connect(relay);
            PreparedStatement statement =
                connection.prepareStatement("INSERT INTO item (id) VALUES (?)")) {
          int from = answer ? 0 : 10;
          for (int id = from; id < from + 3; id++) {
            statement.setInt(1, id);
            statement.addBatch();
          }
          if (answer) {
            relay.cutAnswer(0, () -> {});
            BatchUpdateException failure =
                catchThrowableOfType(BatchUpdateException.class, statement::executeBatch);
            assertThat(failure.getUpdateCounts())
                .containsExactly(
                    Statement.SUCCESS_NO_INFO,
                    Statement.SUCCESS_NO_INFO,
                    Statement.SUCCESS_NO_INFO);
            assertThat(failure.getCause()).isInstanceOf(LostAnswerException.class);
          } else {
            relay.cutRequest(0, () -> {});
            assertThatThrownBy(statement::executeBatch)
                .satisfies(failure -> assertThat(state(failure)).isEqualTo("40001"));
          }
        }
      }
      assertThat(ids(engine, 0)).containsExactly(0, 1, 2);
    }
  }

  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void anElementThatReturnedRowsIsDone(String engine) throws Exception {
    try (ControllerServer controller = controller(engine);
        CuttingRelay relay = relay(controller)) {
      for (int cut : new int[] {-1, 0}) {
        try (Connection connection = connect(relay);
            Statement statement = connection.createStatement()) {
          int from = cut < 0 ? 0 : 10;
          statement.setFetchSize(1);
          statement.addBatch("INSERT INTO item (id) VALUES (%d)".formatted(from));
          statement.addBatch(
              "INSERT INTO item (id) VALUES (%d), (%d) RETURNING id".formatted(from + 1, from + 2));
          statement.addBatch("INSERT INTO item (id) VALUES (%d)".formatted(from + 3));
          if (cut >= 0) {
            relay.cutRequest(2, () -> {});
          }
          BatchUpdateException failure =
              catchThrowableOfType(BatchUpdateException.class, statement::executeBatch);
          assertThat(failure.getUpdateCounts()).containsExactly(1, Statement.SUCCESS_NO_INFO);
          assertThat(ids(engine, from)).isEqualTo(ids(from, 3));
        }
      }
    }
  }

  /** The rows of a statement before are given up first, over the connection that is cut. */
  @ParameterizedTest
  @MethodSource("org.terrace.testing.Depth#databases")
  void whatIsLostOfTheStatementBeforeIsNotSaidOfTheNext(String engine) throws Exception {
    try (ControllerServer controller = controller(engine);
        CuttingRelay relay = relay(controller)) {
      for (boolean batch : new boolean[] {true, false}) {
        int from = batch ? 0 : 10;
        try (Connection connection = connect(relay);
            Statement statement = connection.createStatement()) {
          statement.setFetchSize(1);
          ResultSet before =
              statement.executeQuery(
                  "INSERT INTO item (id) VALUES (%d), (%d) RETURNING id".formatted(from, from + 1));
          assertThat(before.next()).isTrue();
          relay.cutRequest(0, () -> {});
          String next = "INSERT INTO item (id) VALUES (%d)".formatted(from + 2);
          statement.addBatch(next);
          assertThatThrownBy(
                  () -> {
                    if (batch) {
                      statement.executeBatch();
                    } else {
                      statement.executeUpdate(next);
                    }
                  })
              .isNotInstanceOf(LostAnswerException.class)
              .hasMessageContaining("was not sent")
              .satisfies(failure -> assertThat(state(failure)).isEqualTo("08006"));
          assertThat(ids(engine, from)).isEqualTo(ids(from, 2));
        }
      }
    }
  }
}
