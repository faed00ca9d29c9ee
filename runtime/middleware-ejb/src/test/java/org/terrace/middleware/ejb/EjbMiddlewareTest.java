package org.terrace.middleware.ejb;

import org.junit.jupiter.api.Tag;
import org.terrace.middleware.MiddlewareConformance;

@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class EjbMiddlewareTest extends MiddlewareConformance {
  EjbMiddlewareTest() {
    super("ejbd", "127.29.1.5");
  }
}
