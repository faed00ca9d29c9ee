package org.terrace.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.board.page.State;

/** The contract in PAGES.md against the states of the board. */
class PagesContractTest {
  @Test
  void theContractNamesEveryStateWithItsPath() {
    Map<String, StatePromise> promises = StatePromise.ofContract();

    assertThat(promises).hasSize(24);
    for (State state : State.values()) {
      assertThat(promises.get(state.pageName()).path()).isEqualTo(state.path());
    }
  }
}
