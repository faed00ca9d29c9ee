package org.terrace.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Event;
import org.terrace.observation.EventKinds;

class EventGroupTest {
  @Test
  void whatIsAConsequenceAloneIsNoCause() {
    List<Event> events =
        Stream.of(
                EventKinds.TCP_TIMEOUT,
                EventKinds.TCP_REPEATED_SYN,
                EventKinds.TCP_REPEATED_SYN_ACK,
                EventKinds.TCP_RETRANSMISSION,
                EventKinds.TCP_ZERO_WINDOW,
                EventKinds.TCP_RESET,
                EventKinds.TCP_REFUSED,
                EventKinds.SLOW_STATEMENT,
                EventKinds.SOCKET_READ,
                EventKinds.WATCHED,
                EventKinds.NOT_VISIBLE,
                EventKinds.CAPTURE_DROPS,
                EventKinds.CAPTURE_LOSS)
            .map(kind -> new Event("app1", kind, 10, 20, Map.of()))
            .toList();

    assertThat(EventGroup.of(events, new Stretch(0, 100, "whole")).values())
        .extracting(EventGroup::kind)
        .containsExactly(
            EventKinds.TCP_TIMEOUT,
            EventKinds.TCP_REPEATED_SYN,
            EventKinds.TCP_REPEATED_SYN_ACK,
            EventKinds.TCP_RETRANSMISSION);
  }
}
