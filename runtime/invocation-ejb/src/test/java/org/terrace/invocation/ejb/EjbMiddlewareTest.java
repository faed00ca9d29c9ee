package org.terrace.invocation.ejb;

import org.terrace.invocation.middleware.MiddlewareConformance;

class EjbMiddlewareTest extends MiddlewareConformance {
  EjbMiddlewareTest() {
    super("ejbd", "127.29.1.5");
  }
}
