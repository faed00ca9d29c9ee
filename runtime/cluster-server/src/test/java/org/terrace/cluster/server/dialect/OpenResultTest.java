package org.terrace.cluster.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The deed that is done once when a result is closed, or at once if it was. */
class OpenResultTest {
  private final AtomicInteger released = new AtomicInteger();
  private final OpenResult result =
      new OpenResult(
          (Statement)
              Proxy.newProxyInstance(
                  Statement.class.getClassLoader(),
                  new Class<?>[] {Statement.class},
                  (_, _, _) -> null),
          true,
          new long[0],
          "",
          true);

  @Test
  void whatIsSetBeforeTheEndIsDoneOnceAtTheEnd() {
    result.onClose(released::incrementAndGet);
    assertThat(released).hasValue(0);
    result.close();
    result.close();
    result.abandon();

    assertThat(released).hasValue(1);
  }

  @Test
  void whatIsSetAfterItWasClosedIsDoneAtOnce() {
    result.close();
    result.onClose(released::incrementAndGet);

    assertThat(released).hasValue(1);
  }

  @Test
  void whatIsSetAfterItWasAbandonedIsDoneAtOnce() {
    result.abandon();
    result.onClose(released::incrementAndGet);
    result.close();

    assertThat(released).hasValue(1);
  }
}
