package org.terrace.cart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.terrace.cart.process.SoftStateProcess;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;

/** The answers of the load to flags that do not go together. */
class LoadOptionsTest {
  private static LoadOptions options(String... arguments) {
    return LoadOptions.of(Flags.of(arguments));
  }

  @Test
  void replicasAreGivenByNameOrSomeByAddress() {
    assertThat(options("--replicas", "a=127.0.0.1:80").source().contacts()).isEmpty();
    assertThat(options("--join", "127.0.0.1:80,127.0.0.2:80").source().contacts()).hasSize(2);
  }

  @Test
  void neitherOrBothAreRefusedByTheNamesOfTheFlags() {
    assertThatThrownBy(LoadOptionsTest::options)
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("--replicas and --join: expected one of them");
    assertThatThrownBy(() -> options("--replicas", "a=127.0.0.1:80", "--join", "127.0.0.1:80"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("not both");
    assertThatThrownBy(() -> options("--join", "here"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("--join has 'here': expected host:port");
    assertThatThrownBy(() -> options("--join", "127.0.0.1:80", "--watch", "a"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("--watch is a: expected some of --replicas");
  }

  @Test
  void helpIsNoErrorAndAMissingFlagIs() throws InterruptedException, IOException {
    SoftStateProcess.Body load = flags -> LoadOptions.of(flags).clients();
    assertThat(run(load, "--help")).isZero();
    assertThat(run(load)).isEqualTo(ErrorCode.BAD_INPUT.exitCode());
    assertThat(run(load, "--join", "127.0.0.1:80", "--clients", "3")).isEqualTo(3);
  }

  private static int run(SoftStateProcess.Body body, String... arguments)
      throws InterruptedException, IOException {
    return SoftStateProcess.run("CartLoad", LoadOptions.USAGE, arguments, body);
  }
}
