package org.terrace.middleware.corba;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.core.RequestIdentity;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.CarriedCalls;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;
import org.terrace.middleware.Middlewares;

class MergedReferenceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final InetSocketAddress ANYWHERE = new InetSocketAddress("127.29.1.6", 0);

  @ParameterizedTest
  @ValueSource(strings = {"jacorb", "glassfish"})
  void theNextReplicaIsReachedWhenTheFirstIsGone(String name) throws Exception {
    CorbaMiddleware middleware = (CorbaMiddleware) Middlewares.byName(name);
    CarriedCalls first = new CarriedCalls();
    CarriedCalls second = new CarriedCalls();
    try (Listener backup = middleware.listen(ANYWHERE, second)) {
      Endpoint merged;
      try (Listener primary = middleware.listen(ANYWHERE, first)) {
        merged = middleware.merge(List.of(primary.endpoint("server1"), backup.endpoint("server2")));
        assertThat(call(middleware, merged)).isEqualTo(CallReply.Status.RESULT);
        assertThat(first.count()).isEqualTo(1);
      }

      assertThat(call(middleware, merged)).isEqualTo(CallReply.Status.RESULT);

      assertThat(second.count()).isEqualTo(1);
      assertThat(first.count()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"jacorb", "glassfish"})
  void whatIsNoReferenceIsRefused(String name) {
    CorbaMiddleware middleware = (CorbaMiddleware) Middlewares.byName(name);
    Endpoint none = new Endpoint("server1", name, "127.29.1.6", 1, "IOR:zz");

    assertThatThrownBy(() -> middleware.merge(List.of(none))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> middleware.connect(none, PATIENCE)).isInstanceOf(IOException.class);
  }

  private static CallReply.Status call(CorbaMiddleware middleware, Endpoint endpoint)
      throws Exception {
    CallRequest request =
        new CallRequest(
            "carried",
            CarriedCalls.ECHO,
            new RequestIdentity(7, 1),
            1,
            PATIENCE.toNanos(),
            true,
            new byte[] {1});
    try (CallChannel channel = middleware.connect(endpoint, PATIENCE)) {
      return channel.call(request, PATIENCE).status();
    }
  }
}
