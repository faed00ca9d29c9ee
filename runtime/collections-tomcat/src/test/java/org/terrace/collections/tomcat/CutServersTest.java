package org.terrace.collections.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.collections.ReplicatedSortedMap;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.groups.GroupKeys;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.Secret;

/**
 * Two servers that do not hear each other for a while, as the first seals with a key that the other
 * does not accept. The visitor is at the other.
 */
@Tag("real-processes")
@Tag("untimed")
class CutServersTest extends SessionServers {
  private static final Secret COMMON = secret('c');
  private static final Secret APART = secret('a');

  private final GroupKeys keys = GroupKeys.authenticating(COMMON);

  private static Secret secret(char of) {
    return new Secret(String.valueOf(of).repeat(32).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  int serverCount() {
    return 2;
  }

  @Override
  GroupOptions told(GroupOptions options) {
    boolean isFirst = servers.isEmpty();
    return options
        .withExpectedMembers(2)
        .withKeys(isFirst ? keys : GroupKeys.authenticating(COMMON));
  }

  @Override
  SessionAttributes attributes() {
    return ReplicatedSessionManagerTest.ATTRIBUTES;
  }

  @Override
  HttpServlet servlet() {
    return new ReplicatedSessionManagerTest.SessionServlet();
  }

  private void cut() {
    keys.accept(APART);
    keys.sealWith(APART);
    keys.drop(COMMON);
  }

  private String id() {
    return cookie.substring("JSESSIONID=".length());
  }

  private boolean sees(int members) {
    return servers.stream().allMatch(server -> server.group().view().members().size() == members);
  }

  private String who(Server server) {
    try {
      return get(server, "/who");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Waits while the visitor uses his session at the other server and the first one sweeps. */
  private void awaitInUse(String what, BooleanSupplier condition) {
    await(
        what,
        () -> {
          assertThat(who(servers.getLast())).contains("ann");
          servers.getFirst().manager().processExpires();
          return condition.getAsBoolean();
        });
  }

  @Test
  void aSessionInUseBeyondACutGoesOnAndEndsOnceNobodyUsesIt() throws Exception {
    Server sweeping = servers.getFirst();
    get(sweeping, "/sign-in");
    get(sweeping, "/less-short"); // his next use may come late on a busy machine
    cut();
    awaitInUse("it looks unused", () -> sweeping.manager().findSession(id()) == null);
    awaitInUse("both are alone", () -> sees(1));
    awaitInUse("it looks unused for long", () -> isUnused(sweeping));
    assertThat(who(sweeping)).isEqualTo("no session");
    assertThat(sweeping.manager().sessionCount()).isEqualTo(1);
    keys.accept(COMMON);
    keys.sealWith(COMMON);
    keys.drop(APART);
    awaitInUse("it is found again", () -> sweeping.manager().findSession(id()) != null);
    assertThat(who(sweeping)).contains("ann");
    assertThat(sweeping.manager().getExpiredSessions()).isZero();

    await(
        "its end at both",
        () -> {
          sweeping.manager().processExpires();
          return servers.stream().allMatch(server -> server.manager().valueCount() == 0);
        });
    assertThat(servers.stream().mapToLong(server -> server.manager().getExpiredSessions()).sum())
        .isEqualTo(1);
  }

  /** Unused for longer than processExpires grants. */
  private boolean isUnused(Server server) {
    return server.manager().idleMillis(id()) > 7_000;
  }

  @Test
  void aNewSessionTakesNoIdentifierOfOneThatOnlyLooksOver() throws Exception {
    get(servers.getFirst(), "/sign-in");
    get(servers.getFirst(), "/short");
    cut();
    ReplicatedSessionManager sweeping = servers.getFirst().manager();
    await("it looks unused", () -> sweeping.findSession(id()) == null);

    assertThat(sweeping.createSession(id()).getSession().getAttribute("visitor")).isNull();
    assertThat(sweeping.createSession("another").getId()).isEqualTo("another");
  }

  @Test
  void ofTwoUsesInACutTheLaterCounts() throws Exception {
    get(servers.getFirst(), "/sign-in");
    await("it is there", () -> servers.getLast().manager().isThere(id()));
    cut();
    await("both are alone", () -> sees(1));
    long nowMillis = servers.getLast().collections().agreedEpochMillis();
    use(servers.getLast(), nowMillis + 1_200_000);
    use(servers.getFirst(), nowMillis + 600_000); // its stamp is the later one
    keys.accept(COMMON);
    keys.sealWith(COMMON);
    keys.drop(APART);
    await("both uses are known here", () -> uses(servers.getFirst()) == 2);

    assertThat(servers.getFirst().manager().idleMillis(id())).isLessThan(-900_000);
  }

  private void use(Server server, long usedMillis) {
    parts(server).put(SessionKey.used(id()), new SessionValue.Used(usedMillis));
  }

  private int uses(Server server) {
    return parts(server).values(SessionKey.used(id())).size();
  }

  private static ReplicatedSortedMap<SessionKey, SessionValue> parts(Server server) {
    return server.manager().parts().withLevel(WriteLevel.LOCAL);
  }
}
