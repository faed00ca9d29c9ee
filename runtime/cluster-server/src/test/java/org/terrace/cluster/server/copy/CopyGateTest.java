package org.terrace.cluster.server.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Copies and definitions in each order. */
class CopyGateTest {
  private final CopyGate gate = new CopyGate();
  private final List<Connection> cut = new ArrayList<>();

  @Test
  void aDefinitionCutsOffCopiesAndLetsNoneBegin() throws SQLException {
    Connection before = connection();
    assertThat(gate.begin(before)).isTrue();
    gate.definitionBegins();
    assertThat(cut).containsExactly(before);
    assertThat(gate.end(before)).as("whether it came to its end").isFalse();

    Connection meanwhile = connection();
    gate.definitionBegins();
    assertThat(gate.begin(meanwhile)).isFalse();
    gate.definitionEnded();
    assertThat(gate.begin(meanwhile)).as("while another is under way").isFalse();
    gate.definitionEnded();
    assertThat(gate.begin(meanwhile)).isTrue();
    assertThat(gate.end(meanwhile)).isTrue();

    gate.definitionBegins();
    assertThat(cut).containsExactly(before);
  }

  /** A connection that notes that it was cut. */
  private Connection connection() {
    return (Connection)
        Proxy.newProxyInstance(
            CopyGateTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "abort" -> {
                    cut.add((Connection) self);
                    yield null;
                  }
                  case "hashCode" -> System.identityHashCode(self);
                  case "equals" ->
                      System.identityHashCode(self) == System.identityHashCode(arguments[0]);
                  default -> "connection";
                });
  }
}
