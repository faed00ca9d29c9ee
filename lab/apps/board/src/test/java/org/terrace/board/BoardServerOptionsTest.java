package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.terrace.core.TerraceException;

class BoardServerOptionsTest {
  @Test
  void aNameOfAContactIsLeftToBeLookedUpEachTime() {
    BoardServerOptions options = options("127.0.2.1:7900,board-app:7901");

    assertThat(options.groupContacts())
        .containsExactly(
            new InetSocketAddress("127.0.2.1", 7_900),
            InetSocketAddress.createUnresolved("board-app", 7_901));
  }

  @Test
  void aContactWithoutAPortIsNamed() {
    assertThatThrownBy(() -> options("board-app"))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("--group-contacts names 'board-app'")
        .hasMessageContaining("HOST:PORT");
  }

  private static BoardServerOptions options(String contacts) {
    return BoardServerOptions.of(
        new String[] {"--database-url", "jdbc:postgresql://a/b", "--group-contacts", contacts});
  }
}
