//! Spanish.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "pruebas" "prueba" "tests" "test" "suite" "pytest" "testes" "batería de pruebas"
    },
    ci: words! { "ci" "pipeline" "github actions" "integración continua" },
    builds: words! { "compilación" "build" "construcción" },
    lints: words! { "linter" "lint" "eslint" "clippy" "ruff" },
    all: words! { "todas" "todos" "toda" "totalidad" "completa" "cada" "ambas" "ambos" "100" },
    everything: words! { "todo" },
    filling: words! {
        "todas" "todos" "ya" "ahora" "unitarias" "unitarios" "de" "integración" "y" "siguen"
        "también" "están" "han" "ha" "está" "es" "fue" "sido" "las" "los" "la" "el" "pruebas" "se"
        "completó" "completaron" "terminó" "vez" "nuevo" "ejecutó" "ejecutaron" "estado"
        "existentes" "nuevas" "nuevos" "quedó" "quedaron"
    },
    states: words! {
        "están green" "están en green" "está green" "pasan" "pasa" "pasaron" "pasó" "pasando" "pasado" "en verde" "superadas" "superados"
        "exitosas" "exitosos" "exitosa" "exitoso" "correctamente" "limpio" "verde" "verdes"
        "con éxito" "aprobadas" "aprobados" "exitosamente" "ya no falla" "ya no fallan"
        "satisfactoriamente"
    },
    faultless: words! {
        "sin errores" "sin error" "sin fallos" "sin problemas" "sin advertencias" "ningún error"
        "sin fallas"
    },
    none: words! {
        "ninguna" "ningún" "ninguno" "ni una sola" "ni un solo" "cero" "no hay" "ya no hay" "sin"
    },
    fails: words! {
        "falla" "fallan" "fallo" "fallos" "falló" "fallaron" "fallando" "fallen" "fallidas"
        "fallida" "fallidos" "fallido" "roja" "rojo" "fallas"
    },
    compiles: words! { "compila" "compilan" "compiló" "se compila" },
    ran: words! {
        "ejecutado" "ejecuté" "ejecutar" "ejecutadas" "corrido" "corrí" "lanzado" "lancé" "pasado"
        "ejecutados" "ejecución"
    },
    tested: words! {
        "probado" "probada" "probados" "probadas" "verificado" "verificada" "verificados"
        "verificadas" "comprobado" "validado" "probé" "verifiqué" "testeado"
    },
    things: words! {
        "arreglo" "corrección" "cambio" "cambios" "solución" "código" "funcionalidad"
        "implementación" "parche" "fix" "función" "endpoint" "flujo" "refactorización"
    },
    works: words! { "funciona" "funcionan" "funcionando" },
    guards: words! {
        "deberían" "debería" "debe" "deben" "no" "nunca" "pasarán" "pasará" "podrían" "podría"
        "puede" "pueden" "puedes" "algunas" "algunos" "solo" "sólo" "probablemente" "casi" "mayoría"
        "tampoco" "ningún" "ninguna" "ayer" "estaban" "estaba" "quizás" "tal vez" "parte" "mitad"
        "solamente" "estará" "estarán" "pude" "podido"
    },
    conditions: words! {
        "si" "cuando" "hasta" "para" "asegúrate" "asegurar" "verifica" "verificar" "antes" "dijiste"
        "excepto" "salvo" "ejecuta" "ejecute" "una vez que" "espero" "siempre que" "según"
        "por favor" "objetivo" "menos" "comprobar" "cuyo" "dice" "previamente" "comprueba"
        "mientras"
    },
    that: words! { "que" },
    confirmed: words! {
        "verificado" "comprobado" "confirmado" "confirmo" "verifiqué" "comprobé" "confirmé"
        "muestra" "validado" "visto"
    },
    objects: words! { "un" "una" "unos" "el" "la" "los" "las" "por" "al" "su" "sus" "a" },
    undone: words! {
        "no he ejecutado" "no ejecuté" "no pude ejecutar" "no se ejecutaron" "sin probar"
        "no he probado" "ejecuta las pruebas" "no he podido ejecutar" "no lo he probado"
        "no se han ejecutado" "no he verificado" "sin verificar" "no verificado" "no verificada"
    },
    gaps: words! {
        "excepto" "salvo" "menos" "a excepción" "con la excepción" "no se puede" "no se pueden"
        "no logré" "no he logrado" "no pude" "no he podido" "no conseguí" "no he conseguido"
        "sigue en rojo" "siguen en rojo" "sigue fallando" "omitid*" "no pasa" "no pasan"
        "no fue posible" "no es posible" "imposible"
    },
    reasons: words! {
        "porque" "ya que" "pues" "necesita" "necesitan" "falta" "faltan" "requiere" "requieren"
        "debido" "sin" "espera" "no hay" "no está disponible" "no disponible"
    },
    fine: words! { "bien" "en orden" "correcto" "ok" },
    ..LATIN
};
