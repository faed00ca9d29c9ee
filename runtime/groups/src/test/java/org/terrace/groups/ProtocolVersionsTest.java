package org.terrace.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProtocolVersionsTest {
  private static final ProtocolVersions OLD = new ProtocolVersions(3, 3);
  private static final ProtocolVersions NEW = new ProtocolVersions(3, 4);
  private static final ProtocolVersions NEXT = new ProtocolVersions(4, 5);

  @Test
  void theLatestThatBothUnderstandIsSpoken() {
    assertThat(NEW.highestWith(OLD)).isEqualTo(3);
    assertThat(OLD.highestWith(NEW)).isEqualTo(3);
    assertThat(NEW.highestWith(NEXT)).isEqualTo(4);
    assertThat(NEXT.highestWith(NEW)).isEqualTo(4);
    assertThat(OLD.meets(NEXT)).isFalse();
    assertThat(NEXT.meets(OLD)).isFalse();
    assertThat(NEW.meets(NEXT)).isTrue();
    assertThat(NEXT.nearest(1)).isEqualTo(4);
    assertThat(NEXT.nearest(9)).isEqualTo(5);
  }

  @Test
  void whatGoesToAllIsUnderstoodByAll() {
    Member old = member("old");
    Member fresh = member("new");
    ProtocolAgreement mixed = ProtocolAgreement.of(NEW, Map.of(old.id(), OLD, fresh.id(), NEW));

    assertThat(mixed.toAll()).isEqualTo(3);
    assertThat(mixed.leastOfOthers()).isEqualTo(3);
    assertThat(mixed.with(old)).isEqualTo(3);
    assertThat(mixed.with(fresh)).isEqualTo(4);
    assertThat(mixed.with(member("unknown"))).isEqualTo(3);
    assertThat(ProtocolAgreement.of(NEW, Map.of()).toAll()).as("alone").isEqualTo(4);
  }

  @Test
  void aMemberThatIsHeldBackSeesThatTheOthersAreNot() {
    ProtocolAgreement held = ProtocolAgreement.of(OLD, Map.of(1L, NEW, 2L, NEW));

    assertThat(held.toAll()).isEqualTo(3);
    assertThat(held.leastOfOthers()).isEqualTo(4);
  }

  @Test
  void theLatestVersionOfAProcessCanBeLimited() {
    assertThat(ProtocolVersions.upToText(null)).isEqualTo(ProtocolVersions.ofThisBuild());
    assertThat(ProtocolVersions.upToText("3")).isEqualTo(OLD);
    assertThat(GroupOptions.of("group", "a", Discovery.none()).withProtocolVersionMax(3).protocol())
        .isEqualTo(OLD);
    for (String wrong : new String[] {"", "2", "16", "four"}) {
      assertThatThrownBy(() -> ProtocolVersions.upToText(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "the system property terrace.groups.protocolVersionMax is '%s': set it to a version"
                      .formatted(wrong)
                  + " of the protocol that this build understands, 3 to 4, or leave it out");
    }
    assertThatThrownBy(() -> new ProtocolVersions(4, 3))
        .hasMessageContaining("1 to 15 in order, got 4 to 3");
    assertThatThrownBy(() -> new ProtocolVersions(0, 3)).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> new ProtocolVersions(1, 16)).isInstanceOf(RuntimeException.class);
  }

  private static Member member(String name) {
    return new Member(
        name,
        Member.idAt(name, 1_700_000_000_000_000_000L),
        InetSocketAddress.createUnresolved(name, 1));
  }
}
