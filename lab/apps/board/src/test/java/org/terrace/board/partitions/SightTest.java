package org.terrace.board.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SightTest {
  private static final Map<String, String> MEMBER =
      Map.of(
          "WSREP_READY", "ON",
          "WSREP_CLUSTER_STATUS", "Primary",
          "WSREP_LOCAL_STATE", "4",
          "WSREP_GCOMM_UUID", "a process",
          "WSREP_CLUSTER_CONF_ID", "7");

  private static Sight with(String variable, String value) {
    Map<String, String> status = new HashMap<>(MEMBER);
    status.put(variable, value);
    return Sight.of(status);
  }

  private static Sight without(String variable) {
    Map<String, String> status = new HashMap<>(MEMBER);
    status.remove(variable);
    return Sight.of(status);
  }

  @Test
  void aMemberTellsItsProcessAndItsViewAndWhetherItHasCaughtUp() {
    assertThat(Sight.of(MEMBER)).isEqualTo(new Sight.Member("a process", 7, true));
    assertThat(with("WSREP_LOCAL_STATE", "2")).isEqualTo(new Sight.Member("a process", 7, false));
  }

  @Test
  void aNodeWithoutTheMajorityOrNotReadyIsOutside() {
    assertThat(with("WSREP_READY", "OFF")).isEqualTo(Sight.Away.OUTSIDE);
    assertThat(with("WSREP_CLUSTER_STATUS", "non-Primary")).isEqualTo(Sight.Away.OUTSIDE);
  }

  /** The values are not of one moment: "Primary" may stand beside the number of no majority. */
  @Test
  void aViewThatHasNoNumberIsOutside() {
    assertThat(with("WSREP_CLUSTER_CONF_ID", "18446744073709551615")).isEqualTo(Sight.Away.OUTSIDE);
    assertThat(without("WSREP_CLUSTER_CONF_ID")).isEqualTo(Sight.Away.OUTSIDE);
  }

  /** The process that comes next would be believed, whatever it is. */
  @Test
  void anAnswerThatNamesNoProcessIsOutside() {
    assertThat(with("WSREP_GCOMM_UUID", "")).isEqualTo(Sight.Away.OUTSIDE);
    assertThat(without("WSREP_GCOMM_UUID")).isEqualTo(Sight.Away.OUTSIDE);
  }
}
