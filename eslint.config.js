import tseslint from "typescript-eslint";

export default tseslint.config(
  {
    ignores: [
      "dist/",
      "**/artifacts/",
      "**/cache/",
      "**/node_modules/",
      "src/localnet/generated/",
      // Written from fixtures/staking-vault.
      "fixtures/hardhat2-toolbox/test/",
      "fixtures/hardhat2-toolbox/scripts/story.ts",
      "fixtures/hardhat2-toolbox/scripts/table.ts",
      "**/types/ethers-contracts/",
      "**/typechain-types/",
      "**/coverage/",
    ],
  },
  ...tseslint.configs.recommended,
  {
    languageOptions: {
      parserOptions: {
        project: ["./tsconfig.build.json", "./tsconfig.hardhat2.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    files: ["src/**/*.ts"],
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/return-await": [
        "error",
        "error-handling-correctness-only",
      ],
      "@typescript-eslint/switch-exhaustiveness-check": "off",
      "no-restricted-syntax": [
        "error",
        {
          selector: "PropertyDefinition[accessibility='private']",
          message: "Use #private fields.",
        },
        {
          selector:
            "MethodDefinition[accessibility='private'][kind!='constructor']",
          message: "Use #private methods.",
        },
      ],
    },
  },
  {
    // The core serves both majors of Hardhat, so it knows neither.
    files: ["src/**/*.ts"],
    ignores: [
      "src/index.ts",
      "src/type-extensions.ts",
      "src/hardhat3/**",
      "src/hardhat2/**",
    ],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: "^(?:hardhat|hardhat2)(?:/|$)|^@nomicfoundation/",
              message: "The core imports no Hardhat.",
            },
            {
              regex: "/hardhat[23]/",
              message: "The core does not know who plugs it in.",
            },
          ],
        },
      ],
    },
  },
  {
    // Hardhat 2 extends itself synchronously, in CommonJS.
    files: ["src/hardhat2/**/*.ts"],
    rules: {
      "@typescript-eslint/no-require-imports": "off",
      "@typescript-eslint/consistent-type-imports": [
        "error",
        { disallowTypeAnnotations: false },
      ],
    },
  },
  {
    files: ["**/*.cjs"],
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
  {
    // Their variables are there for their types.
    files: ["test/types/**/*.ts"],
    rules: { "@typescript-eslint/no-unused-vars": "off" },
  },
  {
    files: [
      "test/**/*.ts",
      "bench/**/*.ts",
      "fixtures/**/*.ts",
      "scripts/**/*.ts",
    ],
    rules: {
      // Answers of servers are looked into freely in tests.
      "@typescript-eslint/no-explicit-any": "off",
      "@typescript-eslint/no-unused-expressions": "off",
      "@typescript-eslint/no-require-imports": "off",
    },
  },
  {
    ignores: ["test/types/**"],
    rules: {
      "prefer-const": ["error", { ignoreReadBeforeAssign: true }],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
    },
  },
);
